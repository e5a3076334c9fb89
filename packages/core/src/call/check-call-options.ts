import { createOptionCheck } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { CallOptions, CallRequest } from "../types/call-options.ts";

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
  onProgress: "function",
  key: "id",
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

interface Asked {
  readonly request: CallRequest;
  readonly options: CallOptions | undefined;
}

/** Throws `invalid-options` for anything except a call in the form that `owner` takes, such as `host.call`. */
export function checkRequest(owner: string, { request, options }: Asked): void {
  checkMembers(request, owner);
  if (request?.tool === undefined) {
    throw invalidOptions(
      `${owner} takes a call, such as { tool: "server.tool", arguments: {} }, and then options.`,
    );
  }
  checkCallOptions(options, owner);
}
