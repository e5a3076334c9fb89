import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  type ToolMessage,
} from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type ChainInput,
  type ChainOutcome,
  type ForgedCall,
  type Harness,
  type ModelPart,
  modelNameOf,
} from "@toolrail/conformance";
import type { Decision, Hop, Host } from "@toolrail/core";
import { artifactOf, createTools } from "../../src/index.ts";
import { builds, type ChainParts } from "../builds.ts";
import { toolMessages } from "../graphs.ts";
import { calling, ScriptedModel } from "../scripted-model.ts";

/** A graph, as far as all kinds of them share it. */
interface Graph {
  invoke(input: unknown, config: object): Promise<unknown>;
  getState(config: object): Promise<{ readonly values: unknown }>;
  updateState(config: object, values: object): Promise<unknown>;
}

interface Situation {
  readonly graph: Graph;
  readonly host: Host;
  readonly model: ScriptedModel;
  readonly told: readonly Hop[];
  readonly config: object;
}

/** The reason for which a harness leaves out a capability. */
export const APART = "Another function does that, and has a harness of its own.";

export const REJECTS = "A graph that is aborted rejects, so that it has no outcome.";

const INSIDE = "The chain runs inside the call: no message holds a hop.";

const CALLS_ALONE = { pipe: APART, guard: APART, "chain/abort-kept": REJECTS };

const NO_PAUSE = "A chain inside one call cannot wait in its middle: it ends with needs-approval.";

const NO_PAUSES = {
  ...{ "approval/resume": NO_PAUSE, "approval/changes": NO_PAUSE, "approval/deny": NO_PAUSE },
  ...{ "approval/changes-read": NO_PAUSE, "approval/changes-checked": NO_PAUSE },
  ...{ "approval/ended": NO_PAUSE, "rule/approval": NO_PAUSE },
};

/** Every way to run a chain in a graph, with a model that decides for one call and then answers. */
export const chainHarnesses: readonly Harness[] = [
  {
    name: "langgraph: createTools",
    exempt: { ...CALLS_ALONE, ...NO_PAUSES, "chain/edited": INSIDE, "chain/forged": INSIDE },
    chain: (input) => begin(builds.inside, input),
  },
  {
    name: "langgraph: chainMiddleware",
    exempt: CALLS_ALONE,
    chain: (input) => begin(builds.middleware, input),
  },
  {
    name: "langgraph: chainNode",
    exempt: CALLS_ALONE,
    chain: (input) => begin(builds.node, input),
  },
];

async function begin(
  build: (parts: ChainParts) => unknown,
  { host, tool, arguments: args = {}, signal, conversation = "1", unheard }: ChainInput,
): Promise<ChainOutcome> {
  const model = new ScriptedModel([calling(modelNameOf(host, tool), { ...args })], "done");
  const told: Hop[] = [];
  const onHop = ({ hop }: { readonly hop: Hop }) => void told.push(hop);
  const listener = unheard ? {} : { onHop };
  const checkpointer = new MemorySaver();
  const isNode = build === builds.node;
  // The tools of a graph of one's own have the listener; its agent node has none.
  const options = { endWhenShown: false, ...(!isNode && listener) };
  const tools = createTools(host, { ...listener, appOnly: isNode });
  const graph = build({ host, model, checkpointer, tools, ...options }) as Graph;
  const config = { configurable: { thread_id: conversation }, ...(signal && { signal }) };
  const situation = { graph, host, model, told, config };
  return run(situation, { messages: [new HumanMessage("go")] });
}

interface Output {
  readonly messages: BaseMessage[];
  readonly __interrupt__?: readonly unknown[];
}

async function run(situation: Situation, input: object | null): Promise<ChainOutcome> {
  const { graph, host, model, told, config } = situation;
  const output = (await graph.invoke(input, config)) as Output;
  const answers = toolMessages(output.messages);
  const artifacts = answers.flatMap((message) => artifactOf(message) ?? []);
  const read = toolMessages(model.read.at(-1) ?? []);
  const isPaused = (output.__interrupt__ ?? []).length > 0;
  const turn = output.messages.at(-1);
  return {
    // The artifact of a call comes with its answer: while it waits, the listener knows more.
    hops: isPaused ? [...told] : artifacts.flatMap(({ hops }) => hops),
    ended: isPaused ? "needs-approval" : artifacts.at(-1)?.ended,
    told: [...told],
    modelRead: read.flatMap((message) => message.contentBlocks.map(toPart)),
    isError: read.at(-1)?.status === "error",
    modelCalls: model.read.length,
    stored: JSON.stringify((await graph.getState(config)).values),
    ...(isPaused && { resume: (decision) => run(situation, toCommand(decision)) }),
    ...(isPaused &&
      AIMessage.isInstance(turn) && {
        async resumeForged(call) {
          await graph.updateState(config, { messages: [forge(turn, { host, call })] });
          const again = await run(situation, null); // An answer counts for the call that was shown.
          return again.resume?.("approve") ?? again;
        },
      }),
  };
}

export function toCommand(decision: Decision): Command<unknown, Record<string, unknown>, never> {
  return new Command({ resume: { decisions: [toAnswer(decision)] } });
}

/** A decision in the form of LangChain's `humanInTheLoopMiddleware`. */
export function toAnswer(decision: Decision) {
  if (decision === "approve") return { type: "approve" } as const;
  if ("deny" in decision) return { type: "reject", message: decision.deny } as const;
  return { type: "edit", editedAction: { args: decision.approve.arguments } } as const;
}

/** The turn with the call that waits in it, as a client may have changed it. */
function forge(
  turn: AIMessage,
  { host, call }: { readonly host: Host; readonly call: ForgedCall },
) {
  const { id, response_metadata } = turn;
  const [waiting] = turn.tool_calls ?? [];
  const callId = call.id ?? waiting?.id ?? "";
  const forged = calling(modelNameOf(host, call.tool), { ...call.arguments }, callId);
  return new AIMessage({ ...(id && { id }), content: "", tool_calls: [forged], response_metadata });
}

function toPart(block: ToolMessage["contentBlocks"][number]): ModelPart {
  return block.type === "text"
    ? { type: "text", text: String(block.text) }
    : { type: "media", mediaType: String(block.mimeType) };
}
