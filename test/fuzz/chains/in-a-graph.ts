import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type ModelPart, partText } from "@toolrail/core/adapter";
import { artifactOf, createTools } from "@toolrail/langgraph";
import { builds } from "../../../packages/langgraph/test/builds.ts";
import { calling } from "../../../packages/langgraph/test/scripted-model.ts";
import { type GraphRun, runToEnd } from "../graph/run-to-end.ts";
import { scriptModel, sinceQuestion } from "../graph/script-model.ts";
import { shownIn } from "../graph/shown-messages.ts";
import { createLedger, type Ledger, type MadeCall } from "../world/ledger.ts";
import { openWorld } from "../world/open-world.ts";
import type { ChainCase, ChainsEnd } from "./chain-case.ts";
import { inOwnWords } from "./in-the-core.ts";

export interface ChainGraphRun extends GraphRun {
  readonly ledger?: Ledger;
  readonly onCall?: (call: MadeCall) => void;
}

/** Chains in a graph: inside the calls, or each hop as a turn of `createAgent` or of a graph built by hand. */
export async function chainInAGraph(
  { world, starts }: ChainCase,
  kind: keyof typeof builds,
  { ledger = createLedger(), onCall, ...run }: ChainGraphRun = {},
): Promise<ChainsEnd> {
  const read: BaseMessage[][] = [];
  const state = await runToEnd({
    ...run,
    ledger,
    input: { messages: [{ role: "user", content: "please" }] },
    async build(life) {
      const host = await openWorld(world, { ledger, life, ...(onCall && { onCall }) });
      const turn = starts.map(({ id, tool, arguments: args }) =>
        calling(host.find(tool).modelName, { ...args }, id),
      );
      const model = scriptModel(turn, read);
      const tools = createTools(host, { appOnly: kind === "node" });
      const parts = { host, model, tools, checkpointer: life.saver, endWhenShown: false };
      return { host, graph: builds[kind](parts) };
    },
  });
  const { messages } = state as { readonly messages: readonly BaseMessage[] };
  const ends = messages.filter(ToolMessage.isInstance).flatMap((message) => {
    const { ended, runId = "" } = artifactOf(message) ?? {};
    return ended ? [[runId, ended] as const] : [];
  });
  if (new Set(ends.map(([id]) => id)).size < ends.length) ledger.offences.push("ended twice");
  const answers = sinceQuestion(read.at(-1) ?? []).filter(ToolMessage.isInstance);
  const chains = starts.map(({ id }) => {
    const [answer, ...more] = answers.filter((message) => message.tool_call_id === id);
    if (!answer || more.length > 0) throw new Error(`${more.length} answers more to ${id}`);
    const ended = artifactOf(answer)?.ended;
    return { ended, isError: answer.status === "error", read: inOwnWords(textOf(answer)) };
  });
  return { ledger, chains, prompts: read.map(shownIn).join() };
}

function textOf({ content }: ToolMessage): string {
  if (typeof content === "string") return content;
  return (content as (ModelPart | ImageUrl)[]).map((part) => partText(toPart(part))).join("\n");
}

interface ImageUrl {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
}

/** LangChain's messages hold an image as the address of its data. */
function toPart(part: ModelPart | ImageUrl): ModelPart {
  if (part.type !== "image_url") return part;
  const [, mimeType = "", data = ""] = /^data:([^;]+);base64,(.*)$/.exec(part.image_url.url) ?? [];
  return { type: "image", mimeType, data };
}
