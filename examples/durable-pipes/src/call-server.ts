import { Client } from "@langchain/langgraph-sdk";
import { CONVERSATION } from "@toolrail/example-bank-chatbot/src/demo/both-ways.ts";
import { SPEC } from "./spec.ts";

const approve = { resume: { decisions: [{ type: "approve" }] } };
const LOCKED = CONVERSATION[2];

/** The state in which a run ends: the values of its thread, and what it waits for. */
interface Left {
  readonly __interrupt__?: readonly {
    readonly value: { readonly actionRequests: readonly { readonly name: string }[] };
  }[];
  readonly ok?: boolean;
  readonly error?: string;
  readonly result?: unknown;
  readonly messages?: readonly { readonly content: unknown }[];
}

/** Calls the three graphs of a LangGraph server as any of its clients would, and prints what comes back. */
export async function callServer(url: string, print: (line: string) => void): Promise<void> {
  const client = new Client({ apiUrl: url });
  const openThread = async () => (await client.threads.create()).thread_id;
  const waitsFor = ({ __interrupt__ = [] }: Left) =>
    __interrupt__.flatMap(({ value }) => value.actionRequests.map(({ name }) => name)).join();

  print("pipe: a run that waits, and goes on");
  const thread = await openThread();
  const input = { vars: { urgency: "high" } };
  const asked = (await client.runs.wait(thread, "pipe", { input })) as Left;
  print(`  waits for a person: ${waitsFor(asked)}`);
  const ended = (await client.runs.wait(thread, "pipe", { command: approve })) as Left;
  print(`  ok ${ended.ok}: ${JSON.stringify(ended.result)}`);

  print("agent: a chain as a stream, each hop a turn");
  const talk = await openThread();
  const messages = [{ role: "user", content: LOCKED }];
  const streamed = client.runs.stream(talk, "agent", { input: { messages }, streamMode: "custom" });
  for await (const { event, data } of streamed) {
    if (event !== "custom") continue;
    const { type, tool } = data as { readonly type: string; readonly tool: string };
    print(`  ${type} ${tool}`);
  }
  const { next } = await client.threads.getState(talk);
  print(`  waits in: ${next.join()}`);
  const told = (await client.runs.wait(talk, "agent", { command: approve })) as Left;
  print(`  ${told.messages?.at(-1)?.content}`);

  print("spec: a spec as input");
  const wrong = { spec: { steps: [{ id: "a", tool: "no_such_tool" }] } };
  const refused = (await client.runs.wait(await openThread(), "spec", { input: wrong })) as Left;
  print(`  ok ${refused.ok}: ${refused.error}`);
  const stored = await openThread();
  const first = (await client.runs.wait(stored, "spec", { input: { spec: SPEC } })) as Left;
  print(`  waits for a person: ${waitsFor(first)}`);
  const done = (await client.runs.wait(stored, "spec", { command: approve })) as Left;
  print(`  ok ${done.ok}: ${JSON.stringify(done.result)}`);
}
