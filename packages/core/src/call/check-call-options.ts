import { createOptionCheck } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { CallOptions, CallRequest, CheckedCall } from "../types/call-options.ts";

const ASKERS: readonly CallOrigin["by"][] = ["application", "model", "chain", "pipe"];

/** Throws `invalid-options` for options of a call that do not exist or are of the wrong kind. */
export const checkCallOptions = /* @__PURE__ */ createOptionCheck<CallOptions>("host.call", {
  signal: "signal",
  origin: {
    words: `an object whose \`by\` is ${ASKERS.join(", ")}`,
    test: (origin) => ASKERS.includes(Object(origin).by),
  },
  approved: "text",
  changes: "object",
  changedFrom: "object",
  onProgress: "function",
  key: "id",
  answers: "object",
  lostAttempts: "number",
  conversation: "id",
  context: "any",
  runId: "text",
  timeoutMs: "number",
  follow: "boolean",
  onHop: "function",
  allowHop: "function",
  gate: "function",
});

const checkMembers = /* @__PURE__ */ createOptionCheck<CallRequest>("host.call", {
  tool: ["text", "object"],
  arguments: "any", // The model corrects wrong arguments: see `invalid-arguments`.
});

interface Asked<Request> {
  readonly request: Request;
  readonly options: CallOptions | undefined;
}

/** Throws `invalid-options` for anything except a call in the form that `owner` takes, such as `host.call`. */
export function checkRequest(owner: string, { request, options }: Asked<CallRequest>): void {
  checkMembers(request, owner);
  if (request?.tool === undefined) {
    throw invalidOptions(
      `${owner} takes a call, such as { tool: "server.tool", arguments: {} }, and then options.`,
    );
  }
  checkCallOptions(options, owner);
}

/** Throws `invalid-options` for anything except a call or a checked call in the form that `owner` takes. */
export function checkMaking(
  owner: string,
  { request, options }: Asked<CallRequest | CheckedCall>,
): void {
  if (Object.hasOwn(Object(request), "type")) checkCallOptions(options, owner);
  else checkRequest(owner, { request: request as CallRequest, options });
}
