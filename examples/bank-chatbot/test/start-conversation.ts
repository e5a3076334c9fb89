import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { startOfflineModel } from "@toolrail/example-offline-model";
import { onTestFinished } from "vitest";
import { type BankServerOptions, createBankServer } from "../src/bank/server.ts";
import { createBankStore, DEMO_CUSTOMER_ID } from "../src/bank/store.ts";
import type { Entry, EntryOf } from "../src/conversation/conversation-view.ts";
import {
  type ConversationOptions,
  createConversation,
} from "../src/conversation/create-conversation.ts";
import { bankRules } from "../src/fake-model.ts";

/** A session with a bank server in this process. */
export async function connectInMemory(options: BankServerOptions): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createBankServer(options).connect(theirs);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(ours);
  return client;
}

/** What conversations share: a bank in this process and the fake model, until the test has ended. */
export async function startParts(more: Partial<ConversationOptions> = {}) {
  const { url, calls, close } = await startOfflineModel({ rules: bankRules });
  onTestFinished(close);
  const store = createBankStore();
  const clients: Client[] = [];
  const options: Omit<ConversationOptions, "mode"> = {
    endpoint: { url, modelId: "offline-rules", apiKey: "none", description: "", close },
    async connect() {
      const client = await connectInMemory({ store, hasButtons: true });
      clients.push(client);
      return client;
    },
    ...more,
  };
  const customer = store.openFor(DEMO_CUSTOMER_ID);
  const transfers = () => customer.listTransfers().map(({ status }) => status);
  const savings = () => customer.findAccount("acc_savings_001")?.balanceCents;
  return { options, customer, clients, modelCalls: calls, transfers, savings };
}

/** A conversation, and what a customer does in it. */
export async function startConversation(
  mode: ConversationOptions["mode"],
  more?: Partial<ConversationOptions>,
) {
  const parts = await startParts(more);
  const conversation = createConversation({ ...parts.options, mode });
  onTestFinished(conversation.close);

  /** All entries of that type, oldest first. */
  const entriesOf = <Type extends Entry["type"]>(type: Type) =>
    conversation.view().entries.filter((one): one is EntryOf<Type> => one.type === type);
  const questions = () => entriesOf("question").filter(({ kind }) => kind !== "approval");
  const approvals = () => entriesOf("question").filter(({ kind }) => kind === "approval");
  const say = (text: string) => conversation.take({ type: "text", text });
  const reply = (id = "", value: string) => conversation.take({ type: "answer", id, value });
  /** Answers the newest question of the bank. */
  const answer = (value: string) => reply(questions().at(-1)?.id, value);
  /** Decides on the newest approval. */
  const decide = (approved: boolean) =>
    reply(approvals().at(-1)?.id, approved ? "Approve" : "Decline");

  await conversation.take();
  return { ...parts, conversation, entriesOf, questions, approvals, say, answer, decide };
}
