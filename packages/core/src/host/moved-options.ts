import { invalidOptions, type ToolrailError } from "../errors.ts";

/** Creates the error for an option that has moved. Returns `undefined` if there is none. */
export function movedOption(options: object): ToolrailError | undefined {
  const moved = Object.keys(MOVED).find((name) => Object(options)[name] !== undefined);
  if (moved === undefined) return undefined;
  return invalidOptions(`createHost has no option "${moved}" any more: write ${MOVED[moved]}.`);
}

const MOVED: Readonly<Record<string, string>> = {
  approver: "`use: [{ name, userOf }]`",
  afterCrash: "`use: [once({ afterCrash })]`, with `once` of @toolrail/plugins/once",
  traceparentOf: "`use: [otel(api)]`, with `otel` of @toolrail/plugins/otel",
  readResources: "`use: [resources([…])]`, with `resources` of @toolrail/plugins/resources",
  rails: "`use: [rules([…])]`, with `rules` of @toolrail/plugins/rules",
  references: "`use: [references()]`, with `references` of @toolrail/plugins/references",
  sources: "`use: [sources()]`, with `sources` of @toolrail/plugins/sources",
  audience: "`use: [audience({ tools: { … } })]`, with `audience` of @toolrail/core",
  releases: "`use: [audience({ releases: [ … ] })]`, with `audience` of @toolrail/core",
  screen: "`use: [contract(), pins(…)]`, with both of @toolrail/core/contract",
  intercept: "`use: [{ name, wrapCall }]`",
  requestMeta: "`use: [{ name, requestMeta }]`",
  requestHeaders: "`use: [{ name, requestHeaders }]`",
  onHop: "`use: [{ name, onHop }]`",
  now: "`clock: { now }`",
  newId: "`clock: { newId }`",
  silent: "`onEvent: () => {}`",
  serverPrefix: "`servers: { name: { client, prefix: true } }`",
  nextToolKeys: "`servers: { name: { client, nextTool: [ … ] } }`",
  invalidOutput: '`servers: { name: { client, invalidOutput: "show" } }`',
};
