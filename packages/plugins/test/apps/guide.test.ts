import { createHost, type Decision, type McpPort, type PendingCall } from "@toolrail/core";
import { createAppCalls } from "@toolrail/plugins/apps";
import { resources } from "@toolrail/plugins/resources";
import { expect, it } from "vitest";
import { callOf, openShop } from "./open-shop.ts";

interface Given {
  readonly client: McpPort;
  readonly conversation: string;
  readonly user: string;
  readonly request: unknown;
  readonly signal: AbortSignal;
  readonly ask: (pending: PendingCall) => Promise<Decision>;
}

async function answerApp({ client, conversation, user, request, signal, ask }: Given) {
  const host = await createHost({ servers: { shop: client }, use: [resources([])] });
  const app = createAppCalls(host, {
    ...{ server: "shop", uri: "ui://shop/desk" },
    ...{ conversation, context: user },
  });

  let answer = await app.answer(request, { signal });
  while ("pending" in answer) {
    const decision = await ask(answer.pending); // "approve", or { deny: "the user said no" }
    answer = await app.decide(answer.id, decision, { signal });
  }
  answer.response; // { jsonrpc, id, result } or { jsonrpc, id, error }, for the frame
  return answer;
}

it("The example of an app's call asks a person, and answers the frame.", async () => {
  const { shop } = await openShop();
  const asked: string[] = [];
  const { response } = await answerApp({
    ...{ client: shop.port, conversation: "chat-1", user: "ann", request: callOf("refund") },
    signal: new AbortController().signal,
    async ask({ tool }) {
      asked.push(tool);
      return "approve";
    },
  });
  expect(asked).toEqual(["refund"]);
  expect(response).toMatchObject({ result: { content: [{ text: "refund done" }] } });
});
