import type { ChainedTool } from "./chained-tools.ts";
import type { CallToApprove } from "./settings-types.ts";

type Approve = (...parameters: readonly unknown[]) => unknown;

/**
 * `toolApproval` of `ai` 7, which would silence `authorize`: where the caller's word is that nobody need
 * be asked, the host is. Its other answers stand.
 */
export function composeApproval(
  approval: unknown,
  tools: Readonly<Record<string, ChainedTool>>,
): unknown {
  if (typeof approval !== "function") return approval;
  const ask = approval as Approve;
  return async (options: { readonly toolCall: CallToApprove }) => {
    const status = await ask(options);
    const { toolName, toolCallId, input } = options.toolCall;
    if (!isOpen(status) || !Object.hasOwn(tools, toolName)) return status;
    const asks = await tools[toolName]?.needsApproval(input, { toolCallId });
    return asks ? "user-approval" : status;
  };
}

function isOpen(status: unknown): boolean {
  const type =
    typeof status === "object" && status !== null && "type" in status ? status.type : status;
  return type === undefined || type === "not-applicable";
}
