import { ToolrailError } from "../errors.ts";
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
  invalidOutput: true,
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
  approver: true,
  intercept: true,
  requestMeta: true,
  onQuestion: true,
  requestHeaders: true,
  traceparentOf: true,
  onHop: true,
};

/** Throws `invalid-options` for anything but an object, for an unknown option, and for an unknown word. */
export function checkOptions(options: object | undefined): void {
  if (Object(options) !== options) {
    const message = "createHost takes an object of options: createHost({ servers: { shop } }).";
    throw new ToolrailError("invalid-options", message);
  }
  const unknown = Object.keys(options ?? {}).find((name) => !Object.hasOwn(KNOWN, name));
  if (unknown !== undefined) {
    const message = `createHost has no option "${unknown}". Use one of ${Object.keys(KNOWN).join(", ")}.`;
    throw new ToolrailError("invalid-options", message);
  }
  const { invalidOutput = "fail" } = options as HostOptions;
  if (invalidOutput !== "fail" && invalidOutput !== "show") {
    throw new ToolrailError("invalid-options", '`invalidOutput` must be "fail" or "show".');
  }
}
