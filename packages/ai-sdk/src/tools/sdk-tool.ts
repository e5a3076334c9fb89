import type { CheckedCall, Host, Tool } from "@toolrail/core";
import { notify, rememberChecks } from "@toolrail/core/adapter";
import { engineOf } from "@toolrail/core/plugin";
import { canonicalJson, type JsonObject } from "@toolrail/json";
import { providerSchema } from "@toolrail/json/schema";
import { type FileForm, readFileForm, toInputSchema } from "../sdk-internals.ts";
import type { ApprovalOptions, SdkTool } from "../sdk-types.ts";
import { readApproval } from "./approval.ts";
import type { DeferredTools } from "./deferral.ts";
import { markOutput, toOutputMark } from "./marks.ts";
import { asRecord, resultsOf } from "./messages.ts";
import { toModelOutput } from "./model-output.ts";
import { streamOutputs } from "./stream-outputs.ts";
import type { ToolOutput } from "./tool-output.ts";
import type { TypedNames } from "./typed-tools.ts";
import type { CallerOptions, MadeCall, SdkCall } from "./types.ts";

interface ToolKind extends CallerOptions {
  readonly host: Host;
  /** If true, any call may have to wait for a person. Default: only calls that the host may ask about. */
  readonly asksAlways?: boolean;
  /** If true, the SDK refuses invalid arguments and sends nothing. Otherwise `check` and `run` refuse them. */
  readonly checksArguments?: boolean;
  readonly deferral?: DeferredTools | undefined;
  readonly typed?: TypedNames | undefined;
  /** Checks a call once. An `ask` waits for a person, and any other result is kept for `run`. */
  check(call: SdkCall): Promise<CheckedCall>;
  run(call: MadeCall): Promise<ToolOutput>;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

export function createSdkTools(
  tools: readonly Tool[],
  kind: ToolKind,
): Record<string, SdkTool<ToolOutput>> {
  const {
    host,
    asksAlways,
    checksArguments,
    conversation,
    userText,
    context,
    onAsk,
    typed = {},
  } = kind;
  const engine = engineOf(host);
  const checks = rememberChecks(host);
  // Only the host can check arguments that are addresses of stored results.
  const checksHere = checksArguments && !engine.changesArguments(conversation);
  let files: FileForm = "by-kind"; // The first call shows which form this SDK reads.
  const create = (tool: Tool): SdkTool<ToolOutput> => {
    const { title, description } = tool;
    const isTyped = Object.hasOwn(typed, tool.modelName);
    const toCall = (input: unknown, { toolCallId, messages, ...sdkOptions }: ApprovalOptions) => ({
      run: messages, // If a major passed two arrays, the host would be asked twice, without harm.
      toolCallId,
      isTyped,
      request: { tool, arguments: input as JsonObject },
      options: {
        origin: { by: "model", toolCallId } as const,
        conversation,
        userText,
        context: sdkOptions.context ?? sdkOptions.experimental_context ?? context,
        key:
          conversation &&
          canonicalJson([conversation, ...countsBefore(messages, toolCallId), toolCallId]),
      },
    });
    const described = (isTyped ? {} : { type: "dynamic" }) as Writable<SdkTool<ToolOutput>>;
    if (title !== undefined) described.title = title;
    if (description !== undefined) described.description = description;
    const sdkTool: SdkTool<ToolOutput> = {
      ...described,
      inputSchema: toInputSchema(providerSchema(tool.inputSchema), (args) =>
        checksHere ? engine.checkArguments({ tool, arguments: args }) : undefined,
      ),
      async needsApproval(input, options) {
        const call = toCall(input, options);
        // `ai` 7 asks again before it makes an approved call. The approval still counts.
        if (readApproval(call)) return true;
        if (!(asksAlways || engine.mayAsk(tool) || options.isAsked)) return false;
        const checked = await kind.check(call);
        await checks.keep(call, checked, options);
        if (checked.type !== "ask") return false;
        const { toolCallId } = options;
        const { reason, call: asked } = checked;
        await notify(onAsk, { toolCallId, tool, reason, sources: asked.sources ?? [] });
        return true;
      },
      execute(input, options) {
        files = readFileForm(options);
        const call = toCall(input, options);
        const signal = options.abortSignal;
        return streamOutputs(async (report) => {
          const approval = readApproval(call);
          if (approval === "unsigned") engine.warn("unsigned-approval");
          const checked = approval ? undefined : checks.take(call);
          const decision = approval && (await checks.approvalOf(call, kind));
          const options = { ...call.options, signal, ...decision };
          return kind.run({ ...call, checked, options, report });
        });
      },
      toModelOutput: ({ output, toolCallId }) =>
        markOutput(toModelOutput(output, files), toOutputMark(output, toolCallId)),
    };
    kind.deferral?.mark(sdkTool, tool);
    return sdkTool;
  };
  return Object.fromEntries(tools.map((tool) => [tool.modelName, create(tool)]));
}

/** Counts the user's messages and the answers with this id. Models repeat ids, so these counts distinguish their calls. */
function countsBefore(messages: readonly unknown[], toolCallId: string): readonly number[] {
  const spoken = messages.filter((message) => asRecord(message).role === "user");
  const answered = messages.flatMap(resultsOf).filter((part) => part.toolCallId === toolCallId);
  return [spoken.length, answered.length];
}
