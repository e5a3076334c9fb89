import type { SdkTool } from "./sdk-types.ts";
import type { CallToApprove } from "./settings-types.ts";

type Tools = Readonly<Record<string, Pick<SdkTool<unknown>, "needsApproval">>>;
type Ask = (...parameters: readonly unknown[]) => unknown;

/**
 * `toolApproval` of `ai` 7, which would silence `authorize` and the allowlist: where the caller's word is that nobody need
 * be asked, the host is. Its other answers stand.
 */
export function composeApproval(approval: unknown, tools: Tools): unknown {
  if (typeof approval === "function") {
    return async (options: { readonly toolCall: CallToApprove }) =>
      orAskHost(await (approval as Ask)(options), options.toolCall, tools);
  }
  if (typeof approval !== "object" || approval === null) return approval;
  const entries = Object.entries(approval).map(([toolName, own]: [string, unknown]) => {
    const ask = async (input: unknown, options: { readonly toolCallId: string }) => {
      const status = typeof own === "function" ? await (own as Ask)(input, options) : own;
      return orAskHost(status, { toolName, input, toolCallId: options.toolCallId }, tools);
    };
    return [toolName, Object.hasOwn(tools, toolName) ? ask : own];
  });
  return Object.fromEntries(entries);
}

async function orAskHost(status: unknown, call: CallToApprove, tools: Tools): Promise<unknown> {
  const { toolName, toolCallId, input } = call;
  if (!isOpen(status) || !Object.hasOwn(tools, toolName)) return status;
  return (await tools[toolName]?.needsApproval(input, { toolCallId })) ? "user-approval" : status;
}

function isOpen(status: unknown): boolean {
  const type =
    typeof status === "object" && status !== null && "type" in status ? status.type : status;
  return type === undefined || type === "not-applicable";
}
