import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import {
  type ChainResult,
  isJsonObject,
  type PipeHost,
  type PipeRun,
  ToolrailError,
} from "@toolrail/core";
import { askPerson } from "./approval.ts";
import type { PipeContext, PipeEngine } from "./pipe-context.ts";

/** The run as one node sees it: its own signal, its own writer, and a person to ask. */
export function runInNode(
  { host }: PipeEngine,
  { run }: PipeContext,
  config: LangGraphRunnableConfig,
  paused?: ChainResult,
): PipeRun {
  const port: PipeHost = {
    get tools() {
      return host.tools;
    },
    find: host.find,
    checkArguments: host.checkArguments,
    now: host.now,
    newId: host.newId,
    report(event) {
      // The step began before it waited.
      if (paused && event.type === "step" && event.stage === "started") return;
      host.report?.(event);
      if (event.type === "step") config.writer?.({ ...event, type: "toolrail-step" });
    },
    async run(request, options) {
      if (!paused) return pauseFor(await host.run(request, options));
      const decision = askPerson(host, paused.pending);
      if (decision) return pauseFor(await host.resume(paused, decision, options));
      const { server, tool } = paused.pending ?? {};
      const message = `${server}.${tool} needs the approval of a person, and this graph has no checkpointer to wait with.`;
      return { ...paused, error: new ToolrailError("needs-approval", message) };
    },
  };
  return { ...run, host: port, signal: config.signal };
}

/** A chain that waits for a person is kept first, so that no call of it is made again. */
function pauseFor(chain: ChainResult): ChainResult {
  if (chain.ended !== "needs-approval") return chain;
  throw new ToolrailError("needs-approval", "The pipe waits for a person.", { data: chain });
}

/** The chain that a node's error hands over, or `undefined` for any other error. */
export function pausedChain(error: unknown): ChainResult | undefined {
  if (!ToolrailError.isInstance(error) || error.code !== "needs-approval") return undefined;
  return isJsonObject(error.data) ? (error.data as unknown as ChainResult) : undefined;
}
