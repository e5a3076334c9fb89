import { randomUUID } from "node:crypto";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ListToolsResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaType } from "@modelcontextprotocol/sdk/validation/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_PIN } from "../src/store/sign-ins.ts";
import { call, connectHttp, startHttpProcess, texts } from "./bank-process.ts";
import { expectContract } from "./expect-contract.ts";

let url: string;
let stop: () => Promise<unknown>;
beforeAll(async () => {
  ({ url, stop } = await startHttpProcess());
});
afterAll(() => stop());

const threadMeta = (signIn: boolean) => ({
  "toolrail.example/thread": { threadId: randomUUID(), signIn },
});

async function list(client: Client, meta: Record<string, unknown>) {
  const request = { method: "tools/list", params: { _meta: meta } } as const;
  return (await client.request(request, ListToolsResultSchema)).tools;
}

const OPEN = [
  "request_agent_handoff",
  "welcome_customer",
  "verify_customer_pin",
  "schedule_call_back",
  "start_live_chat",
];

test("a conversation that asks for a sign-in begins with the tools that need none", async () => {
  const client = await connectHttp(url);
  const names = (await list(client, threadMeta(true))).map(({ name }) => name);
  expect(names).toEqual(OPEN);
});

test("the right PIN adds the account tools to this conversation alone, and says so twice", async () => {
  const client = await connectHttp(url);
  const [meta, other] = [threadMeta(true), threadMeta(true)];
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
  const result = await call(client, "verify_customer_pin", { pin: DEMO_PIN }, meta);
  const { threadId } = meta["toolrail.example/thread"];
  expect(result._meta).toEqual({ refreshThreadCapabilities: threadId });
  await changed;
  expect(await list(client, meta)).toHaveLength(12);
  expect(await list(client, other)).toHaveLength(OPEN.length);
});

test("before the sign-in the account tools cannot be called, listed or not", async () => {
  const client = await connectHttp(url);
  const result = await call(client, "list_accounts", {}, threadMeta(true));
  expect(result.isError).toBe(true);
  expect(texts(result)).toBe("Tool list_accounts not found");
});

test("a wrong PIN is asked for again, and the third one ends in a hand-off", async () => {
  const client = await connectHttp(url);
  const meta = threadMeta(true);
  const guess = () => call(client, "verify_customer_pin", { pin: "9999" }, meta);
  expect((await guess())._meta).toHaveProperty(["toolrail.example/widget", "type"], "number");
  expect(texts(await guess())).toContain("one try");
  expect((await guess())._meta).toMatchObject({ nextTool: { tool: "request_agent_handoff" } });
  const right = await call(client, "verify_customer_pin", { pin: DEMO_PIN }, meta);
  expect(right.structuredContent).toEqual({ status: "blocked" });
});

test("the tools of conversations keep the contract of the others", async () => {
  const client = await connectHttp(url);
  const tools = await list(client, threadMeta(false));
  expect(tools).toHaveLength(12);
  for (const tool of tools) expectContract(tool);
});

const reason = "The customer asked.";

test.each([
  ["a welcome", "welcome_customer", {}],
  ["a question for the amount", "begin_transfer", {}],
  ["a question for the time", "schedule_call_back", { reason }],
  [
    "a question for a later time",
    "schedule_call_back",
    { reason, when: "2001-01-01T10:00", phone: "+1 555 0100" },
  ],
  ["a question for the number", "schedule_call_back", { reason, when: "2999-05-06T10:30" }],
  [
    "an arranged call",
    "schedule_call_back",
    { reason, when: "2999-05-06T10:30", phone: "+1 555 0100" },
  ],
  ["a live chat", "start_live_chat", { reason }],
  ["an offer with buttons", "request_agent_handoff", { reason }],
])("%s of %s fits the output schema and says isError", async (_title, name, args) => {
  const client = await connectHttp(url);
  const meta = threadMeta(false);
  const schema = (await list(client, meta)).find((tool) => tool.name === name)?.outputSchema;
  const validate = new AjvJsonSchemaValidator().getValidator({ ...schema } as JsonSchemaType);
  const result = await call(client, name, args, meta);
  expect(validate(result.structuredContent)).toMatchObject({ valid: true });
  expect(result.isError).toBe(false);
});

test("a time that has passed is not taken for a call-back", async () => {
  const client = await connectHttp(url);
  const args = { reason, when: "2001-01-01T10:00", phone: "+1 555 0100" };
  const result = await call(client, "schedule_call_back", args, threadMeta(false));
  expect(result.structuredContent).toEqual({ status: "needs_input", missing: "when" });
  expect(JSON.stringify(result.content)).toContain("That time has passed");
});

test("a thread that cannot be read is refused, not taken for none", async () => {
  const client = await connectHttp(url);
  const meta = { "toolrail.example/thread": "t1" };
  await expect(list(client, meta)).rejects.toThrow("toolrail.example/thread");
});
