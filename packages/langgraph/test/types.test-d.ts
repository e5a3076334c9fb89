import {
  Annotation,
  MessagesAnnotation,
  MessagesValue,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { type AgentMiddleware, createAgent } from "langchain";
import { expectTypeOf, it } from "vitest";
import { z } from "zod";
import { singleStepMiddleware } from "../src/guard/index.ts";
import { artifactOf, chainMiddleware, chainNode, chainState, createTools } from "../src/index.ts";
import { ScriptedModel } from "./scripted-model.ts";

declare const host: Host;

it("The middleware fits createAgent, as createMiddleware's own does.", () => {
  const chain: AgentMiddleware = chainMiddleware(host);
  const model = new ScriptedModel();
  createAgent({ model, tools: createTools(host), middleware: [chain] });
  createAgent({ model, tools: createTools(host), middleware: [chainMiddleware(host)] });
});

it("A factory of middleware that is not called fits no agent.", () => {
  expectTypeOf(chainMiddleware).not.toExtend<AgentMiddleware>();
  expectTypeOf(singleStepMiddleware).not.toExtend<AgentMiddleware>();
});

it("artifactOf takes each message of an agent.", async () => {
  const agent = createAgent({ model: new ScriptedModel(), tools: createTools(host) });
  const { messages } = await agent.invoke({ messages: [] });
  for (const message of messages) expectTypeOf(artifactOf(message)).not.toBeAny();
});

it("A graph over chainState keeps the keys of its own state.", () => {
  const State = Annotation.Root({ ...MessagesAnnotation.spec, user: Annotation<string> });
  new StateGraph(chainState(State)).addNode(
    "agent",
    chainNode(host, {
      agent: async ({ messages, user }: typeof State.State) => {
        expectTypeOf(user).toEqualTypeOf<string>();
        return { messages };
      },
    }),
  );
});

it("A StateSchema fits chainState as well.", () => {
  const State = new StateSchema({ messages: MessagesValue, user: z.string() });
  new StateGraph(chainState(State)).addNode(
    "agent",
    chainNode(host, {
      agent: async ({ messages, user }: typeof State.State) => {
        expectTypeOf(user).toEqualTypeOf<string>();
        return { messages };
      },
    }),
  );
});
