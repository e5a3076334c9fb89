import type { ToolMessage } from "@langchain/core/messages";
import type { ChainResult, Host, HostTool, JsonObject, ModelViewOptions } from "@toolrail/core";
import { type CallConfig, toCallOptions, toolCallIdOf, writeHop } from "./call-config.ts";
import type { MessageBlock } from "./content-blocks.ts";
import { type ToolArtifact, toAnswer, toToolMessage } from "./tool-message.ts";

export interface ToolParts {
  readonly host: Host;
  readonly tool: HostTool;
  readonly options: ModelViewOptions;
}

/** Content and artifact, as LangChain's `content_and_artifact` has it. A message stands for itself. */
export type ToolReturn = [content: string | MessageBlock[] | ToolMessage, artifact: ToolArtifact];

/** Runs a call and its chain. An error is a message with that status, also where no call id was given. */
export async function callTool(
  { host, tool, options }: ToolParts,
  args: JsonObject,
  config: CallConfig,
): Promise<ToolReturn> {
  const chain = await runInline(host, tool, args, config);
  if (chain.ended === "aborted") config.signal?.throwIfAborted();
  const answer = toAnswer(chain, options);
  const { content, artifact, isError } = answer;
  const toolCallId = toolCallIdOf(config);
  if (toolCallId === undefined && !isError) return [content, artifact];
  const message = { name: tool.modelName, toolCallId: toolCallId ?? "" };
  return [toToolMessage(answer, message), artifact];
}

async function runInline(
  host: Host,
  tool: HostTool,
  args: JsonObject,
  config: CallConfig,
): Promise<ChainResult> {
  const hops = host.stream({ tool, arguments: args }, toCallOptions(config, tool));
  for (;;) {
    const step = await hops.next();
    if (step.done) return step.value;
    writeHop(config, step.value);
  }
}
