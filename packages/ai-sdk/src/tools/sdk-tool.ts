import type { CheckedCall, Host, Tool } from "@toolrail/core";
import { engineOf, notify, rememberChecks } from "@toolrail/core/adapter";
import { canonicalJson, type JsonObject } from "@toolrail/json";
import { providerSchema } from "@toolrail/json/schema";
import { type FileForm, fileFormOf, toInputSchema } from "../sdk-internals.ts";
import type { ApprovalOptions, SdkTool } from "../sdk-types.ts";
import { approvalOf } from "./approval.ts";
import type { DeferredTools } from "./deferral.ts";
import { markOutput, toOutputMark } from "./marks.ts";
import { asRecord, resultsOf } from "./messages.ts";
import { toModelOutput } from "./model-output.ts";
import { streamOutputs } from "./stream-outputs.ts";
import type { ToolOutput } from "./tool-output.ts";
import type { TypedNames } from "./typed-tools.ts";
import type { MadeCall, SdkCall, ToolsOptions } from "./types.ts";

/** What sets a kind of tools apart; everything else is the same for all of them. */
interface ToolKind
  extends Pick<ToolsOptions, "conversation" | "context" | "userText" | "onAsk" | "changes"> {
  readonly host: Host;
  /** True if any call may have to wait for a person. Default: those about which the host may ask. */
  readonly asksAlways?: boolean;
  /** True lets the SDK refuse invalid arguments, and nothing is sent; otherwise `check` and `run` do. */
  readonly checksArguments?: boolean;
  /** Default: no tool is deferred. */
  readonly deferral?: DeferredTools | undefined;
  /** See `typed` of `createTools`. */
  readonly typed?: TypedNames | undefined;
  /** Says whether the call may be made, once: an `ask` waits for a person, all else is kept for `run`. */
  check(call: SdkCall): Promise<CheckedCall>;
  run(call: MadeCall): Promise<ToolOutput>;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** These tools by the names that models see. */
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
  const checks = rememberChecks(engine);
  // What addresses stand for, only the host can check.
  const checksHere = checksArguments && !engine.changesArguments(conversation);
  let files: FileForm = "by-kind"; // Until the first call tells.
  const create = (tool: Tool): SdkTool<ToolOutput> => {
    const { title, description } = tool;
    const isTyped = Object.hasOwn(typed, tool.modelName);
    const toCall = (input: unknown, { toolCallId, messages, ...told }: ApprovalOptions) => ({
      // Both majors pass one array to `needsApproval` and to `execute`; else the host is asked twice, without harm.
      run: messages,
      messages,
      toolCallId,
      isTyped,
      request: { tool, arguments: input as JsonObject },
      options: {
        origin: { by: "model", toolCallId } as const,
        conversation,
        userText,
        context: told.context ?? told.experimental_context ?? context,
        key:
          conversation &&
          canonicalJson([conversation, ...countsBefore(messages, toolCallId), toolCallId]),
      },
    });
    const about = (isTyped ? {} : { type: "dynamic" }) as Writable<SdkTool<ToolOutput>>;
    if (title !== undefined) about.title = title;
    if (description !== undefined) about.description = description;
    const made: SdkTool<ToolOutput> = {
      ...about,
      inputSchema: toInputSchema(providerSchema(tool.inputSchema), (args) =>
        checksHere ? engine.checkArguments({ tool, arguments: args }) : undefined,
      ),
      async needsApproval(input, options) {
        const call = toCall(input, options);
        // `ai` 7 asks again before it makes an approved call: what the person was asked stands.
        if (approvalOf(call)) return true;
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
        files = fileFormOf(options);
        const call = toCall(input, options);
        const signal = options.abortSignal;
        return streamOutputs(async (tell) => {
          const approval = approvalOf(call);
          if (approval === "unsigned") engine.warn("unsigned-approval");
          const { toolCallId, request } = call;
          const checked = approval ? undefined : checks.take(call);
          const word = approval && {
            approved: await checks.approvalOf(call),
            changes: kind.changes?.({ toolCallId, ...request }),
          };
          const options = { ...call.options, signal, ...word };
          return kind.run({ ...call, checked, options, tell });
        });
      },
      toModelOutput: ({ output, toolCallId }) =>
        markOutput(toModelOutput(output, files), toOutputMark(output, toolCallId)),
    };
    kind.deferral?.mark(made, tool);
    return made;
  };
  return Object.fromEntries(tools.map((tool) => [tool.modelName, create(tool)]));
}

/** Models repeat ids: how often the user has spoken, and such a call was answered, tells their calls apart. */
function countsBefore(messages: readonly unknown[], toolCallId: string): readonly number[] {
  const spoken = messages.filter((message) => asRecord(message).role === "user");
  const answered = messages.flatMap(resultsOf).filter((part) => part.toolCallId === toolCallId);
  return [spoken.length, answered.length];
}
