import { readFileSync } from "node:fs";
import { AIMessage } from "@langchain/core/messages";
import { createHost } from "@toolrail/core";
import { fakeModel } from "langchain";
import { afterAll, expect, it } from "vitest";
import {
  connectModel,
  toLanguageModel,
} from "../../examples/bank-chatbot/src/demo/connect-model.ts";
import { startBank } from "../../examples/bank-chatbot/src/demo/start-bank.ts";
import { createTestServer } from "../../packages/core/test/servers.ts";
import { aPipe, theGuard, withLangGraph, withTheAiSdk, withTheCoreAlone } from "./examples.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

/** The lines of code that say something: indentation and imports are the file's own. */
const codeOf = (text: string) =>
  text
    .replaceAll(/^ +/gm, "")
    .replaceAll(/^import .*\n/gm, "")
    .trim();

/** What code imports: `createHost from "@toolrail/core"`. */
const importsOf = (text: string) =>
  [...text.matchAll(/^import \{([^}]*)\} from (".*");$/gm)].flatMap(([, names = "", from]) =>
    names.split(",").map((name) => `${name.trim()} from ${from}`),
  );

const started = new AsyncDisposableStack();
afterAll(() => started.disposeAsync());

it("has examples that are compiled as they stand", () => {
  const compiled = codeOf(read("examples.ts"));
  const imported = importsOf(read("examples.ts"));
  const blocks = [...read("../../README.md").matchAll(/```ts\n(.*?)```/gs)];
  expect(blocks).toHaveLength(5);
  for (const [, code = ""] of blocks) {
    expect(compiled).toContain(codeOf(code));
    expect(imported).toEqual(expect.arrayContaining(importsOf(code)));
  }
});

it("has examples of chains that run against the bank", async () => {
  const bank = await startBank();
  started.defer(bank.close);
  const endpoint = await connectModel({});
  started.defer(endpoint.close);
  const prompt = "My primary checking account seems to be blocked. Can you check it?";
  const { host, steps, text } = await withTheAiSdk(
    bank.url.href,
    toLanguageModel(endpoint),
    prompt,
  );
  started.defer(host.close);
  expect(steps.map(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))).toEqual([
    ["check_account_issue"],
    ["initiate_human_handoff"],
    [],
  ]);
  expect(text).toContain("ticket");
  const chain = await withTheCoreAlone(host, "acc_checking_001");
  expect(chain.ended).toBe("complete");
  expect(chain.hops).toHaveLength(2);
});

it("has an example of an agent that runs against the bank", async () => {
  const bank = await startBank();
  started.defer(bank.close);
  const args = { accountId: "acc_checking_001" };
  const model = fakeModel()
    .respondWithTools([{ name: "check_account_issue", args, id: "1" }])
    .respond(new AIMessage("Done."));
  const { host, messages } = await withLangGraph(bank.url.href, model, "Can you check it?");
  started.defer(host.close);
  const results = messages.filter((message) => message.getType() === "tool");
  expect(results.map(({ name }) => name)).toEqual([
    "check_account_issue",
    "initiate_human_handoff",
  ]);
  expect(messages.at(-1)?.text).toBe("Done.");
});

it("has an example of a pipe that runs", async () => {
  const { client } = await createTestServer({
    web_search: {
      answer: () => ({ content: [], structuredContent: { results: [{ url: "https://a" }] } }),
    },
    web_fetch: {
      answer: (call) => ({ content: [], structuredContent: { content: call.arguments.url } }),
    },
  });
  const host = await createHost({ servers: { web: client } });
  const { ok, error, result } = await aPipe(host, new AbortController().signal);
  expect({ ok, error, result }).toEqual({ ok: true, error: "", result: "https://a" });
});

it("has an example of the guard that makes one call and no other", async () => {
  const docs = await createTestServer({
    search: {
      definition: {
        inputSchema: { type: "object", properties: { text: { type: "string" } } },
        outputSchema: { type: "object", properties: { found: { type: "number" } } },
      },
      answer: () => ({ content: [], structuredContent: { found: 1 }, isError: false }),
    },
  });
  const host = await createHost({ servers: { docs: docs.client } });
  const { query, outcome } = await theGuard(host, "leave");
  expect(outcome.verdict).toBe("allow");
  const again = await query.call({ tool: "docs.search", arguments: { text: "more" } });
  expect(again.verdict).toBe("block");
  expect(docs.calls).toEqual(["search"]);
});
