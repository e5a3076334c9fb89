import { toPattern } from "../call/tool-patterns.ts";
import { isReach, type Rail } from "../chain/rail.ts";
import { ToolrailError } from "../errors.ts";
import type { NamedTools } from "../servers/tool-catalog.ts";
import type { HostOptions } from "./host-options.ts";

const KNOWN: { readonly [Name in keyof HostOptions]-?: true } = {
  servers: true,
  allow: true,
  ask: true,
  serverPrefix: true,
  readResources: true,
  schemas: true,
  screen: true,
  limits: true,
  nextToolKeys: true,
  rails: true,
  audience: true,
  store: true,
  references: true,
  afterCrash: true,
  secret: true,
  validator: true,
  onEvent: true,
  now: true,
  newId: true,
  sources: true,
  authorize: true,
  intercept: true,
  requestMeta: true,
  onQuestion: true,
  requestHeaders: true,
  traceparentOf: true,
  onHop: true,
};

/** Throws `invalid-options` for anything but an object, and for an unknown option. */
export function checkOptions(options: object | undefined): void {
  if (Object(options) !== options) {
    const message = "createHost takes an object of options: createHost({ servers: { shop } }).";
    throw new ToolrailError("invalid-options", message);
  }
  const unknown = Object.keys(options ?? {}).find((name) => !Object.hasOwn(KNOWN, name));
  if (unknown === undefined) return;
  const message = `createHost has no option "${unknown}". Use one of ${Object.keys(KNOWN).join(", ")}.`;
  throw new ToolrailError("invalid-options", message);
}

/** The servers whose resources models may read. Throws `invalid-options` for an unknown server. */
export function readersOf({
  readResources = false,
  servers,
}: HostOptions): (server: string) => boolean {
  if (typeof readResources === "boolean") return () => readResources;
  const unknown = [readResources].flat().find((name) => !Object.hasOwn(servers, name));
  if (unknown === undefined) return (server) => readResources.includes(server);
  const message = `readResources names the server ${JSON.stringify(unknown)}. Known servers: ${Object.keys(servers).join(", ")}.`;
  throw new ToolrailError("invalid-options", message);
}

/** The options that name tools: a name that no tool has is probably misspelt. */
export function namedTools(options: HostOptions) {
  const { allow, ask = [], schemas = {}, audience = {}, rails = [], references } = options;
  const { wholeOnly } = typeof references === "object" ? references : {};
  const all = Object.entries({
    allow: Array.isArray(allow) ? allow : [],
    ask,
    schemas: Object.keys(schemas),
    audience: Object.keys(audience),
    "references.wholeOnly": Array.isArray(wholeOnly) ? wholeOnly : [],
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
