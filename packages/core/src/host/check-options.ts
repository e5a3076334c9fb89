import { createOptionCheck, withMethods } from "../check-options.ts";
import { ToolrailError } from "../errors.ts";
import type { HostOptions } from "./host-options.ts";
import { USE } from "./plugins.ts";

const checkClock = /* @__PURE__ */ createOptionCheck<NonNullable<HostOptions["clock"]>>("clock", {
  now: "function",
  newId: "function",
});

const check = /* @__PURE__ */ createOptionCheck<HostOptions>("createHost", {
  servers: { words: "an object of servers by name, such as { shop: client }", test: isRecord },
  use: USE,
  allow: ["texts", "function"],
  requireApproval: "texts",
  schemas: "object",
  limits: "object",
  store: withMethods("a store", ["get", "set", "delete"]),
  secret: "text",
  validator: withMethods("a validator", ["getValidator"]),
  onEvent: "function",
  clock: "object",
  authorize: {
    words:
      'a function, such as ({ tool }) => "ask", or a list of them (tools that a person must approve go into `requireApproval`)',
    test: (value) => [value].flat().every((one) => typeof one === "function"),
  },
  onInputRequest: "function",
});

/** Throws `invalid-options` unless the options are an object of known names with values of the right kind. */
export function checkOptions(options: HostOptions | undefined): void {
  if (options === undefined) {
    const message = "createHost takes an object of options: createHost({ servers: { shop } }).";
    throw new ToolrailError("invalid-options", message);
  }
  const moved = Object.keys(MOVED).find((name) => Object(options)[name] !== undefined);
  if (moved !== undefined) {
    const message = `createHost has no option "${moved}" any more: write ${MOVED[moved]}.`;
    throw new ToolrailError("invalid-options", message);
  }
  check(options);
  checkClock(options.clock);
}

/** The options that have moved, with their present form. */
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

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
