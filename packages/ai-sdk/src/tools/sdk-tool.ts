import type { CallOptions, CallVerdict, Host, Tool, ToolCall } from "@toolrail/core";
import {
  type ChangeOptions,
  engineOf,
  isHopId,
  notify,
  type OptionTable,
} from "@toolrail/core/adapter";
import { type JsonObject, providerSchema } from "@toolrail/core/json";
import {
  type FileForm,
  readFileForm,
  type SdkTool,
  type ToolCallOptions,
  toInputSchema,
} from "../sdk.ts";
import { readApproval, type SdkApproval } from "./approvals.ts";
import { type Mark, markOutput } from "./messages.ts";
import { type ToolOutput, toModelOutput } from "./tool-output.ts";

/** The options that all kinds of tools share: for whom calls are made. */
export interface CallerOptions extends ChangeOptions {
  /**
   * The unique id of the conversation or the user. Stored results and waiting hops belong to it only. With an id and a `store` that
   * can claim, processes that continue from the same messages at once make each call once. Default: none, and the hops of all runs
   * share one memory.
   */
  readonly conversation?: string | undefined;
  /**
   * The context of the caller, for `authorize` and the other hooks of the host. No model reads it. The SDK's
   * `experimental_context` (`ai` 6) or `toolsContext` for this tool (`ai` 7) overrides it. Default: none.
   */
  readonly context?: unknown;
  /**
   * Receives each call that waits for a person, with the reason, which is not in the SDK's request. An error of it
   * becomes one warning.
   */
  readonly onAsk?: ((call: AskedCall) => void | PromiseLike<void>) | undefined;
}

/** The kinds of `CallerOptions`. */
export const CALLER: OptionTable<CallerOptions> = {
  conversation: "id",
  context: "any",
  onAsk: "function",
  changes: "function",
};

/** A call that waits for a person. */
export interface AskedCall {
  readonly toolCallId: string;
  readonly tool: Tool;
  /** The policy's reason to ask a person, in plain words, if there is one. */
  readonly reason: string | undefined;
}

/** A call of the SDK, before it is made. */
export interface SdkCall {
  readonly toolCallId: string;
  readonly request: Pick<ToolCall, "tool" | "arguments">;
  /** The messages that led to the call. */
  readonly messages: readonly unknown[];
  /** The options of the call for the host or the guard. */
  readonly options: CallOptions;
}

/** A call that is made now. */
export interface MadeCall extends SdkCall {
  /** The approval in the messages, if there is one. */
  readonly approval: SdkApproval | undefined;
}

interface ToolKind extends CallerOptions {
  readonly host: Host;
  /** If true, any call may wait for a person, and `check` and `run` refuse invalid arguments. Otherwise the SDK refuses them. */
  readonly isGuard?: boolean;
  /** Checks a call before the SDK makes it. An `ask` waits for a person. */
  check(call: SdkCall): Promise<CallVerdict>;
  run(call: MadeCall): Promise<ToolOutput>;
}

/** Creates tools of the SDK by their names for models. */
export function createSdkTools(
  tools: readonly Tool[],
  kind: ToolKind,
): Record<string, SdkTool<ToolOutput>> {
  const { host, isGuard, conversation, context, onAsk } = kind;
  const engine = engineOf(host);
  // Only the host can check arguments that are addresses of stored results.
  const checksArguments = !isGuard && !engine.changesArguments;
  let files: FileForm = "by-kind"; // The first call shows which form this SDK reads.
  const create = (tool: Tool): SdkTool<ToolOutput> => {
    const { title, description } = tool;
    const toCall = (input: unknown, given: ToolCallOptions): SdkCall => {
      const { toolCallId, messages = [], abortSignal: signal } = given;
      const origin = { by: "model", toolCallId } as const;
      const own = given.context ?? given.experimental_context ?? context;
      const request = { tool, arguments: input as JsonObject };
      const options = { origin, conversation, context: own, signal };
      return { messages, toolCallId, request, options };
    };
    return {
      type: "dynamic",
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema: toInputSchema(providerSchema(tool.inputSchema), (args) =>
        checksArguments ? engine.checkArguments({ tool, arguments: args }) : undefined,
      ),
      async needsApproval(input, options) {
        const call = toCall(input, options);
        // `ai` 7 asks again before it makes an approved call. The approval still counts.
        if (readApproval(call)) return true;
        if (!isGuard && !engine.mayAsk(tool)) return false;
        const verdict = await kind.check(call);
        if (verdict.type !== "ask") return false;
        const { toolCallId } = options;
        await notify({ onAsk }, { toolCallId, tool, reason: verdict.reason }, engine);
        return true;
      },
      async execute(input, sdkOptions) {
        files = readFileForm(sdkOptions);
        const call = toCall(input, sdkOptions);
        const approval = readApproval(call);
        if (!approval) return kind.run({ ...call, approval });
        if (!approval.isSigned) engine.warn("unsigned-approval");
        const { toolCallId, request, options } = call;
        const changes = kind.changes?.({ toolCallId, ...request });
        return kind.run({ ...call, options: { ...options, changes }, approval });
      },
      toModelOutput: ({ output, toolCallId }) =>
        markOutput(toModelOutput(output, files), toMark(output, toolCallId)),
    };
  };
  return Object.fromEntries(tools.map((tool) => [tool.modelName, create(tool)]));
}

function toMark({ callId, ended, userOnly, hops }: ToolOutput, toolCallId = ""): Mark {
  return {
    ...(callId !== undefined && ended === undefined && { call: callId }),
    ...(userOnly && { userOnly }),
    ...(isHopId(toolCallId) && { made: hops.length > 0 }),
  };
}
