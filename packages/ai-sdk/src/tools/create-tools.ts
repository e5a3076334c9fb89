import { type Hop, type Host, offeredTools, type Progress, type ToolFilter } from "@toolrail/core";
import { type CallListeners, notify, throwAborted } from "@toolrail/core/adapter";
import type { SdkTool } from "../sdk-types.ts";
import { createSdkTools, type MadeCall } from "./sdk-tool.ts";
import { type ToolOutput, toOutput, toProgress } from "./tool-output.ts";
import { withProgress } from "./with-progress.ts";

export interface ToolsOptions extends CallListeners {
  /** Which of the host's tools the model is offered. Default: all that are for models. */
  readonly tools?: ToolFilter;
  /**
   * The conversation: an id that no other has. What is kept of results is kept for it alone. With it, and a `store` of
   * the host that can claim, processes that go on with the same messages at once make each call once. Default: none.
   */
  readonly scope?: string | undefined;
}

/**
 * The host's tools for `generateText`, `streamText` and `ToolLoopAgent`, by the names that models see.
 * A call runs its whole chain: each hop is a preliminary output, the last output is the result.
 * The tools are those that the host has now; make them again when its list changes.
 */
export function createTools(
  host: Host,
  options: ToolsOptions = {},
): Record<string, SdkTool<ToolOutput>> {
  return createSdkTools(offeredTools(host, options.tools), {
    host,
    scope: options.scope,
    checksArguments: true,
    check: ({ request, options: given }) => host.check(request, given),
    run: (call) => runChain(host, { ...options, call }),
  });
}

async function* runChain(
  host: Host,
  { call, ...listeners }: CallListeners & { readonly call: MadeCall },
): AsyncGenerator<ToolOutput, void, undefined> {
  const { toolCallId, request, options, word } = call;
  const { onHop, onResult } = listeners;
  let tell = (_: Progress) => {};
  const onProgress = (progress: Progress) => tell(progress);
  const calls = host.stream(request, { ...options, onProgress, ...(await word()) });
  const hops: Hop[] = [];
  const next = () =>
    withProgress(
      (told) => {
        tell = told;
        return calls.next();
      },
      (progress) => toProgress(hops, progress),
    );
  let step = yield* next();
  for (; !step.done; step = yield* next()) {
    const hop = step.value;
    hops.push(hop);
    await notify(onHop, { toolCallId, hop });
    yield toProgress(hops);
  }
  const chain = step.value;
  await notify(onResult, { toolCallId, tool: request.tool, chain });
  throwAborted(chain.ended, options.signal);
  yield toOutput(chain, { host, ...listeners });
}
