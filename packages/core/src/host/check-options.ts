import { createOptionCheck, isObject, withMethods } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { HostOptions } from "./host-options.ts";

const checkClock = /* @__PURE__ */ createOptionCheck<NonNullable<HostOptions["clock"]>>("clock", {
  now: "function",
  newId: "function",
});

const check = /* @__PURE__ */ createOptionCheck<HostOptions>("createHost", {
  servers: { words: "an object of servers by name, such as { shop: client }", test: isObject },
  use: {
    words: "a list of plugins",
    test: (value: unknown) =>
      Array.isArray(value) &&
      value.every((one) => typeof one === "object" || typeof one === "function"),
  },
  allow: ["texts", "function"],
  requireApproval: ["texts", "function"],
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
    throw invalidOptions(
      "createHost takes an object of options: createHost({ servers: { shop } }).",
    );
  }
  check(options);
  checkClock(options.clock);
}
