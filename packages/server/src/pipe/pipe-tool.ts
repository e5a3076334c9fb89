import type { Host, ToolFilter } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import {
  definePipeTool,
  PIPE_TOOL_NAME,
  type PipeResult,
  type PipeToolListeners,
  type PipeToolSettings,
  resumePipe,
  runPipe,
} from "@toolrail/pipe";
import { answerPipe, PIPE_TOOL_OPTIONS, preparePipe } from "@toolrail/pipe/engine";
import type { Ended, Offer, OfferedCall, OfferedTool } from "../offer.ts";
import type { ServedCalls } from "../serve-host.ts";
import { SHOWN, toReplyResult } from "./pipe-result.ts";

/** The options of `mcp_pipe` for the clients of a served host. */
export interface ServedPipeToolOptions extends Omit<PipeToolSettings, "tools">, PipeToolListeners {}

const { tools: _, ...OPTIONS } = PIPE_TOOL_OPTIONS;

const checkOptions = /* @__PURE__ */ createOptionCheck<ServedPipeToolOptions>("pipeTool", {
  ...OPTIONS,
  onResult: "function",
});

/**
 * Offers `mcp_pipe` to the clients of a served host: `serveHost(server, host, { pipe: pipeTool() })`. A step may call only the
 * offered tools. If a step needs a person, the client's user is asked, and the pipe continues with the answer. The step fails if
 * the client cannot ask.
 */
export function pipeTool(options: ServedPipeToolOptions = {}): ServedCalls<"pipe"> {
  checkOptions(options);
  const { enabled = true } = options;
  return {
    kind: "pipe",
    offer: (host, tools) => (enabled ? offerPipe(host, { ...options, tools }) : undefined),
  };
}

function offerPipe(
  host: Host,
  options: ServedPipeToolOptions & { readonly tools: ToolFilter | undefined },
): Offer {
  const { tools, maxDescriptionTokens } = options;
  const conclude = async (
    { options: { conversation } }: OfferedCall,
    { spec, result }: { readonly spec: unknown; readonly result: PipeResult },
  ): Promise<Ended> => {
    if (result.paused) {
      const { id, asks } = result.paused;
      return { asks, state: { id, spec } };
    }
    const answer = await answerPipe(host, result, { ...options, spec, conversation });
    return { result: toReplyResult(answer.reply, answer.result.steps) };
  };
  const tool: OfferedTool = {
    async begin(call) {
      const { arguments: spec } = call;
      const { conversation, context, signal } = call.options;
      const pipe = await preparePipe(host, { ...options, spec, conversation });
      const result = await runPipe(host, { ...pipe, pauses: true, conversation, context, signal });
      return conclude(call, { spec, result });
    },
    async resume({ state: { id, spec }, decisions: answers }, call) {
      const { conversation, context, signal } = call.options;
      const given = { id: String(id), answers, tools, conversation };
      return conclude(call, {
        spec,
        result: await resumePipe(host, { ...given, context, signal }),
      });
    },
  };
  return {
    list() {
      const definition = definePipeTool(host, { tools, maxDescriptionTokens });
      return definition ? [{ ...definition, ...SHOWN }] : [];
    },
    find: (name) => (name === PIPE_TOOL_NAME ? tool : undefined),
  };
}
