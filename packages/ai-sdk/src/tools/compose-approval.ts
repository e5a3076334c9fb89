import type { CallToApprove, RunSettings } from "../run-settings.ts";
import type { ApprovalOptions, SdkTool } from "../sdk-types.ts";
import { asRecord } from "./messages.ts";

/**
 * Composes `toolApproval` of `ai` 7, which would otherwise replace `authorize` and the allowlist. If it requires no
 * approval, the host is asked. Its other answers count, and a call that it asks a person about is remembered as if
 * the host had asked.
 */
export function composeApproval(
  approval: NonNullable<RunSettings["toolApproval"]>,
  tools: Readonly<Record<string, Pick<SdkTool<unknown>, "needsApproval">>>,
): unknown {
  const orAskHost = async (status: unknown, call: CallToApprove & ApprovalOptions) => {
    const { toolName, input } = call;
    const { type } = typeof status === "string" ? { type: status } : asRecord(status);
    const isAsked = type === "user-approval";
    const isOpen = type === undefined || type === "not-applicable";
    if (!(isOpen || isAsked) || !Object.hasOwn(tools, toolName)) return status;
    const asks = await tools[toolName]?.needsApproval(input, isAsked ? { ...call, isAsked } : call);
    return asks && isOpen ? "user-approval" : status;
  };
  if (typeof approval === "function") {
    return async (options: Parameters<typeof approval>[0]) => {
      const { toolCall, messages, toolsContext } = options;
      const context = toolsContext?.[toolCall.toolName];
      return orAskHost(await approval(options), { ...toolCall, messages, context });
    };
  }
  const entries = Object.entries(approval).map(([toolName, rule]) => {
    const ask = async (input: unknown, options: ApprovalOptions & { toolContext: unknown }) => {
      const status = typeof rule === "function" ? await rule(input, options) : rule;
      return orAskHost(status, { ...options, context: options.toolContext, toolName, input });
    };
    return [toolName, rule ? ask : rule];
  });
  return Object.fromEntries(entries);
}
