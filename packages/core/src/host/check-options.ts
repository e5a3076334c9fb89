import { toPattern } from "../call/tool-patterns.ts";
import { isReach, type Rail } from "../chain/rail.ts";
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
  rails: true,
  audience: true,
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
  requestHeaders: true,
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
export function namedTools({ allow, schemas = {}, audience = {}, rails = [] }: HostOptions) {
  const all = Object.entries({
    allow: Array.isArray(allow) ? allow : [],
    schemas: Object.keys(schemas),
    audience: Object.keys(audience),
    ...Object.fromEntries(rails.map((rail, at) => [`rails[${at}]`, toolsOf(rail)])),
  });
  return all.flatMap(([option, patterns]) =>
    patterns.map((pattern): NamedTools => ({ option, pattern, test: toPattern(pattern, option) })),
  );
}

function toolsOf(rail: Rail): readonly string[] {
  if (isReach(rail)) return [rail.after, rail.reaches];
  const { after, next } = rail;
  return next !== false && typeof next !== "function" ? [after, next.tool] : [after];
}
