import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { loadMcpTools } from "@langchain/mcp-adapters";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { createHost, type HostOptions, type Store } from "@toolrail/core";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { createAgent } from "langchain";
import { buildToolNodeGraph } from "../../../packages/langgraph/test/builds.ts";
import {
  calling,
  type ModelTurn,
  ScriptedModel,
} from "../../../packages/langgraph/test/scripted-model.ts";
import type { Life } from "./life.ts";
import { ORDER, STEPS } from "./shop.ts";

export interface Parts {
  readonly life: Life;
  readonly shop: Client;
  /** A database that outlives the processes. */
  readonly store: Required<Store>;
}

/** As much of a graph as it takes to run it to its end. */
export interface Runnable {
  readonly input: object;
  invoke(input: never, config: object): Promise<object>;
  getState(config: never): Promise<{ readonly config: { readonly configurable?: object } }>;
}

/** A way to run the three calls of an order as a graph with checkpoints. */
export interface Way {
  readonly open: (parts: Parts) => Promise<Runnable>;
  /** The shop makes a call with a key that it has seen once. */
  readonly knowsKeys?: true;
}

export const WAYS: Readonly<Record<string, Way>> = {
  "`ToolNode`, a call in each turn": {
    async open({ life, shop }) {
      const tools = await loadMcpTools("shop", shop);
      return asAgent(buildToolNodeGraph({ model: oneByOne(), tools, checkpointer: life.saver }));
    },
  },
  "`ToolNode`, all calls in one turn": {
    async open({ life, shop }) {
      const tools = await loadMcpTools("shop", shop);
      return asAgent(buildToolNodeGraph({ model: allAtOnce(), tools, checkpointer: life.saver }));
    },
  },
  "`createAgent`, all calls in one turn": {
    async open({ life, shop }) {
      const tools = await loadMcpTools("shop", shop);
      return ofAgent(createAgent({ model: allAtOnce(), tools, checkpointer: life.saver }));
    },
  },
  "Toolrail, a chain": { open: (parts) => openChain(parts, {}) },
  "Toolrail, a pipe": { open: (parts) => openPipe(parts, {}) },
  "a chain, with a store": { open: (parts) => openChain(parts, { store: parts.store }) },
  "a pipe, with a store": { open: (parts) => openPipe(parts, { store: parts.store }) },
};

/** As much of an agent as it takes. */
interface Agent {
  readonly invoke: unknown;
  readonly graph: { readonly getState: unknown };
}

function ofAgent(agent: Agent): Runnable {
  const { invoke, graph } = agent as unknown as Runnable & { readonly graph: Runnable };
  return asAgent({ invoke: invoke.bind(agent), getState: graph.getState.bind(graph) });
}

const asAgent = (graph: Omit<Runnable, "input">): Runnable => ({
  input: { messages: [new HumanMessage("Take order 7.")] },
  invoke: (input, config) => graph.invoke(input, config),
  getState: (config) => graph.getState(config),
});

async function openChain({ life, shop }: Parts, options: Omit<HostOptions, "servers">) {
  const host = await createHost({ servers: { shop }, ...OPEN, ...options });
  const agent = createAgent({
    model: scripted((made) => (made === 0 ? [calling("reserve", ORDER)] : "done")),
    tools: createTools(host),
    middleware: [chainMiddleware(host)],
    checkpointer: life.saver,
  });
  return ofAgent(agent);
}

async function openPipe({ life, shop }: Parts, options: Omit<HostOptions, "servers">) {
  const host = await createHost({ servers: { shop }, ...OPEN, ...options });
  const spec = { steps: STEPS.map((name) => ({ id: name, tool: `shop.${name}`, args: ORDER })) };
  const graph = compilePipe(host, { spec, checkpointer: life.saver });
  return { ...asAgent(graph), input: {} } as Runnable;
}

/** Nobody is asked beforehand; all processes can read what waits in a checkpoint. */
const OPEN: Omit<HostOptions, "servers"> = {
  authorize: () => "allow",
  secret: "the same secret in all of the processes",
};

const oneByOne = () => {
  return scripted((made) => {
    const next = STEPS[made];
    return next ? [calling(next, ORDER, `c${made}`)] : "done";
  });
};
const allAtOnce = () => {
  return scripted((made) => (made > 0 ? "done" : STEPS.map((name) => calling(name, ORDER, name))));
};

/** A model that says what comes after the calls that it reads of, in whatever process it is asked. */
function scripted(turn: (made: number) => ModelTurn): ScriptedModel {
  return Object.assign(new ScriptedModel(), {
    _generate(messages: BaseMessage[]) {
      const said = turn(messages.filter((message) => ToolMessage.isInstance(message)).length);
      return new ScriptedModel(said)._generate(messages);
    },
  });
}
