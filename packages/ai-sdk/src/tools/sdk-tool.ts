import type { CallVerdict, Host, Tool } from "@toolrail/core";
import { engineOf, notify } from "@toolrail/core/adapter";
import { type JsonObject, providerSchema } from "@toolrail/core/json";
import { type FileForm, readFileForm, toInputSchema } from "../sdk-internals.ts";
import type { ApprovalOptions, SdkTool } from "../sdk-types.ts";
import { readApproval } from "./approvals.ts";
import { markOutput, toOutputMark } from "./marks.ts";
import { partsOf } from "./messages.ts";
import { toModelOutput } from "./model-output.ts";
import type { ToolOutput } from "./tool-output.ts";
import type { TypedNames } from "./typed-tools.ts";
import type { CallerOptions, MadeCall, SdkCall } from "./types.ts";

interface ToolKind extends CallerOptions {
  readonly host: Host;
  /** If true, any call may have to wait for a person. Default: only calls that the host may ask about. */
  readonly asksAlways?: boolean;
  /** If true, the SDK refuses invalid arguments and sends nothing. Otherwise `check` and `run` refuse them. */
  readonly checksArguments?: boolean;
  readonly typed?: TypedNames | undefined;
  /** Checks a call before the SDK makes it. An `ask` waits for a person. */
  check(call: SdkCall): Promise<CallVerdict>;
  run(call: MadeCall): Promise<ToolOutput>;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

export function createSdkTools(
  tools: readonly Tool[],
  kind: ToolKind,
): Record<string, SdkTool<ToolOutput>> {
  const { host, asksAlways, checksArguments, conversation, context, onAsk, typed = {} } = kind;
  const engine = engineOf(host);
  // Only the host can check arguments that are addresses of stored results.
  const checksHere = checksArguments && !engine.changesArguments;
  let files: FileForm = "by-kind"; // The first call shows which form this SDK reads.
  const announced = new WeakMap<object, Set<string>>(); // By the messages of their steps.
  const create = (tool: Tool): SdkTool<ToolOutput> => {
    const { title, description } = tool;
    const isTyped = Object.hasOwn(typed, tool.modelName);
    const toCall = (
      input: unknown,
      { toolCallId, messages = [], context: own, experimental_context: ofMajor6 }: ApprovalOptions,
    ) => ({
      run: messages, // If a major passed two arrays, the host would be asked twice, without harm.
      toolCallId,
      isTyped,
      request: { tool, arguments: input as JsonObject },
      options: {
        origin: { by: "model", toolCallId } as const,
        conversation,
        context: own ?? ofMajor6 ?? context,
      },
    });
    const described = (isTyped ? {} : { type: "dynamic" }) as Writable<SdkTool<ToolOutput>>;
    if (title !== undefined) described.title = title;
    if (description !== undefined) described.description = description;
    return {
      ...described,
      inputSchema: toInputSchema(providerSchema(tool.inputSchema), (args) =>
        checksHere ? engine.checkArguments({ tool, arguments: args }) : undefined,
      ),
      onInputAvailable({ toolCallId, messages }) {
        const ids = announced.get(messages) ?? new Set();
        announced.set(messages, ids.add(toolCallId));
      },
      async needsApproval(input, options) {
        const call = toCall(input, options);
        // `ai` 7 asks again before it makes an approved call. The approval still counts.
        if (readApproval(call)) return true;
        if (!(asksAlways || engine.mayAsk(tool) || options.isAsked)) return false;
        const verdict = await kind.check(call);
        if (verdict.type !== "ask") return false;
        const { toolCallId } = options;
        await notify({ onAsk }, { toolCallId, tool, reason: verdict.reason }, engine);
        return true;
      },
      execute(input, options) {
        files = readFileForm(options);
        const call = toCall(input, options);
        const signal = options.abortSignal;
        return streamOutputs(async (report) => {
          const approval = readApproval(call);
          if (approval?.isSigned === false) engine.warn("unsigned-approval");
          const { toolCallId, request } = call;
          const changes = approval && kind.changes?.({ toolCallId, ...request });
          const options = { ...call.options, signal, changes };
          const isOfStep = announced.get(call.run)?.has(call.toolCallId) || isWritten(call);
          return await kind.run({ ...call, approval, options, isOfStep, report });
        });
      },
      toModelOutput: ({ output, toolCallId }) =>
        markOutput(toModelOutput(output, files), toOutputMark(output, toolCallId)),
    };
  };
  return Object.fromEntries(tools.map((tool) => [tool.modelName, create(tool)]));
}

/** Returns true if the messages contain the call, as they do when it is made after an approval. */
function isWritten({ run: messages, toolCallId }: SdkCall): boolean {
  return messages
    .flatMap((message) => partsOf(message, "assistant"))
    .some((part) => part.type === "tool-call" && part.toolCallId === toolCallId);
}

/** Yields the outputs that a call reports, and then its result. A newer output replaces progress that was not read yet. */
async function* streamOutputs(
  make: (report: (output: ToolOutput) => void) => Promise<ToolOutput>,
): AsyncGenerator<ToolOutput, void, undefined> {
  const queue: ToolOutput[] = [];
  let isOver = false;
  let wake = () => {};
  const last = make((output) => {
    if (queue.at(-1)?.progress) queue.pop();
    queue.push(output);
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  last.then(end, end);
  while (!isOver || queue.length > 0) {
    const output = queue.shift();
    if (output) yield output;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield last;
}
