import { toPattern } from "../call/tool-patterns.ts";
import { ToolrailError } from "../errors.ts";
import type { NamedTools } from "../servers/tool-catalog.ts";
import type { HostOptions } from "./host-options.ts";

const KNOWN: { readonly [Name in keyof HostOptions]-?: true } = {
  servers: true,
  allow: true,
  schemas: true,
  screen: true,
  limits: true,
  nextToolKeys: true,
  crossServerChains: true,
  store: true,
  afterCrash: true,
  secret: true,
  validator: true,
  onEvent: true,
  now: true,
  newId: true,
  authorize: true,
  intercept: true,
  requestMeta: true,
  traceparentOf: true,
  onHop: true,
};

/** Throws `invalid-options` for a name that is none of the options. */
export function checkOptions(options: object): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(KNOWN, name));
  if (unknown === undefined) return;
  const message = `createHost has no option "${unknown}". There are: ${Object.keys(KNOWN).join(", ")}.`;
  throw new ToolrailError("invalid-options", message);
}

/** Where options name tools: each name must be that of a tool, or it was misspelt. */
export function namedTools({ allow, schemas = {}, crossServerChains = [] }: HostOptions) {
  const ends = crossServerChains.flatMap(({ from, to }) => [from, to]);
  const names = { allow: Array.isArray(allow) ? allow : [], crossServerChains: ends };
  const all = Object.entries({ ...names, schemas: Object.keys(schemas) });
  return all.flatMap(([option, patterns]) =>
    patterns.map((pattern): NamedTools => ({ option, pattern, test: toPattern(pattern, option) })),
  );
}
