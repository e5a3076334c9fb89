import type { PendingCall } from "../chain/chain-result.ts";
import { ToolrailError } from "../errors.ts";
import type { CallOptions, CallRequest } from "../host/call-request.ts";
import type { Host } from "../host/create-host.ts";
import { offeredTools } from "../host/offered-tools.ts";
import type { HostTool, ToolName } from "../host/tool.ts";
import { PIPE_TOOL_NAME } from "../pipe/check-step-tool.ts";
import type { AllowlistVerdict } from "./allowlist.ts";
import { strictDefect } from "./strict-arguments.ts";

/** What the guard says of a call before it is made. */
export type PlannedVerdict =
  | { readonly type: "allow" | "ask"; readonly tool: HostTool; readonly call: PendingCall }
  | { readonly type: "refuse"; readonly error: ToolrailError };

/** What the guard checks calls against. */
export interface GuardRules {
  readonly host: Host;
  /** Left out, only the host's own rules count. */
  readonly allowlist?: AllowlistVerdict;
}

/**
 * The gates before a guarded call: it is listed now, on the operator's list and open to models, and its
 * arguments are all that the schema describes and nothing else; then the host's own door up to the call.
 */
export async function admitPlanned(
  { host, allowlist }: GuardRules,
  request: CallRequest,
  options: CallOptions = {},
): Promise<PlannedVerdict> {
  const origin = options.origin ?? { by: "model" };
  try {
    const tool = findOffered(host, allowlist, request.tool);
    const entry = allowlist ? allowlist.entryOf(tool, host.tools) : "allow";
    const args = request.arguments ?? {};
    const verdict = await host.check(
      { tool: { server: tool.server, name: tool.name }, arguments: args },
      { ...options, origin },
    );
    if (verdict.type === "refuse") return verdict;
    const defect = strictDefect(tool.inputSchema, args);
    if (defect) throw refusal("invalid-arguments", `${tool.id} was not called: ${defect}.`);
    const isAsked = verdict.type === "ask" || (entry === "ask" && options.approved !== true);
    const call = { server: tool.server, tool: tool.name, arguments: args, origin };
    return { type: isAsked ? "ask" : "allow", tool, call };
  } catch (cause) {
    if (ToolrailError.isInstance(cause)) return { type: "refuse", error: cause };
    throw cause;
  }
}

/** The tools that a planner may choose from. */
export function plannerTools({ host, allowlist }: GuardRules): readonly HostTool[] {
  return offeredTools(
    host,
    (tool) =>
      tool.name !== PIPE_TOOL_NAME &&
      (!allowlist || allowlist.entryOf(tool, host.tools) !== undefined),
  );
}

/** Finds a tool, and tells who asks in vain of no tool but the offered ones. */
function findOffered(
  host: Host,
  allowlist: AllowlistVerdict | undefined,
  name: ToolName,
): HostTool {
  if (allowlist?.problem) throw refusal("not-on-allowlist", allowlist.problem);
  let tool: HostTool;
  try {
    tool = host.find(name);
  } catch (cause) {
    if (!ToolrailError.isInstance(cause) || cause.code !== "unknown-tool") throw cause;
    const text = typeof name === "string" ? name : `${name.server}.${name.name}`;
    const known = plannerTools({ host, ...(allowlist && { allowlist }) }).map(({ id }) => id);
    const list = known.length > 0 ? known.slice(0, 12).join(", ") : "none";
    throw refusal("unknown-tool", `There is no tool "${text}". Offered are: ${list}.`);
  }
  if (!tool.forModel) {
    throw refusal(
      "not-allowed",
      `${tool.id} is for the application alone, and no plan reaches it.`,
    );
  }
  if (tool.name === PIPE_TOOL_NAME) {
    const message = `${tool.id} runs what a model writes, and a query makes one call. Offer a pipe of your own: see \`pipes\`.`;
    throw refusal("not-allowed", message);
  }
  if (allowlist && allowlist.entryOf(tool, host.tools) === undefined) {
    const message = `${tool.id} is not on the allowlist. Add it there if a planner may call it.`;
    throw refusal("not-on-allowlist", message);
  }
  return tool;
}

function refusal(code: ToolrailError["code"], message: string): ToolrailError {
  return new ToolrailError(code, message);
}
