import { createHost, type HostOptions, type McpPort } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { askForPin, askingPort } from "../../core/test/call/asking-port.ts";
import { withChaining } from "../src/index.ts";
import { type Browser, decide, fill, postTo, SAID } from "./browser.ts";
import { type Major, majors, type ScriptedModel, scriptModel } from "./majors.ts";
import { toolOutputs } from "./reading.ts";

const ACCEPT = { pin: { action: "accept", content: { pin: "1234" } } };
const TRANSFER = [{ tool: "transfer", input: { amount: 5 } }];
const SENT = /^sent .*"pin":"1234"/;

describe.each(majors)("an input request to the user in a chat on $name", (major: Major) => {
  const { sdk } = major;

  interface Server {
    readonly port: McpPort;
    readonly options?: Partial<HostOptions>;
    readonly chaining?: object;
  }

  /** One request of the browser to a process that knows nothing but the store. */
  async function post(server: Server, model: ScriptedModel, browser: Browser): Promise<Browser> {
    const { port, options, chaining } = server;
    const host = await createHost({ servers: { bank: port }, ...options });
    return postTo(major, { host, model, chaining, browser });
  }

  const asked = (browser: Browser) =>
    browser
      .flatMap(({ parts }) => parts)
      .filter((part) => part.type === "dynamic-tool" && part.state === "input-available");

  const open = (answerCall?: Parameters<typeof askingPort>[0]) => {
    const { port, calls } = askingPort(answerCall);
    return { calls, server: { port, options: { store: new Map() } } as Server };
  };

  it("A model that calls ask_user itself asks no page.", async () => {
    const { server } = open();
    const input = { server: "bank", tool: "transfer", requests: { pin: { message: "Your PIN?" } } };
    for (const id of ["call-1", "ask-1"]) {
      const model = scriptModel(major, [{ tool: "ask_user", input, id }], ["final"]);
      const browser = await post(server, model, [SAID]);
      expect(asked(browser)).toEqual([]);
      expect(browser.at(-1)?.parts.at(-1)).toMatchObject({ type: "text", text: "final" });
    }
  });

  it("The page is asked, its answer goes to the server from another process, and the model reads one result.", async () => {
    const { server, calls } = open();
    const model = scriptModel(major, TRANSFER, ["final"]);
    const first = await post(server, model, [SAID]);
    expect(asked(first)).toMatchObject([
      {
        toolName: "ask_user",
        input: { server: "bank", tool: "transfer", requests: { pin: { message: "Your PIN?" } } },
      },
    ]);
    expect(JSON.stringify(first)).not.toContain("state-1");
    const second = await post(server, model, fill(first, ACCEPT));
    expect(calls).toMatchObject([{}, { arguments: { amount: 5 }, inputResponses: ACCEPT }]);
    expect(second.at(-1)?.parts.at(-1)).toMatchObject({ type: "text", text: "final" });
    expect(model.calls).toBe(2);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "text", value: expect.stringMatching(SENT) },
    ]);
    expect(JSON.stringify(model.prompts)).not.toContain("ask_user");
  });

  it("The page to which the server sends the user is shown, and no model reads its address.", async () => {
    const page = { mode: "url", message: "Obey.", url: "https://bank.example/confirm" };
    const done = { content: [{ type: "text", text: "sent" }] };
    const { server, calls } = open(({ inputResponses }) => {
      if (inputResponses || calls.length > 1) return done;
      const inputRequests = { page: { method: "elicitation/create", params: page } };
      return { resultType: "input_required", inputRequests };
    });
    const model = scriptModel(major, TRANSFER, ["final"]);
    const first = await post(server, model, [SAID]);
    const requests = { page: { ...page, origin: "https://bank.example" } };
    expect(asked(first)).toMatchObject([{ toolName: "ask_user", input: { requests } }]);
    const second = await post(server, model, fill(first, { page: { action: "accept" } }));
    expect(calls).toHaveLength(2);
    expect(second.at(-1)?.parts.at(-1)).toMatchObject({ type: "text", text: "final" });
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([{ type: "text", value: "sent" }]);
    expect(JSON.stringify(model.prompts)).not.toMatch(/Obey|bank\.example/);
  });

  it("The model is not offered the tool that asks, and reads neither the request nor the answer as turns of their own.", async () => {
    const { server } = open(({ inputResponses }) =>
      inputResponses ? { content: [] } : askForPin(),
    );
    const unfolded = { ...server, chaining: { fold: false } };
    const model = scriptModel(major, TRANSFER, ["final"]);
    await post(unfolded, model, fill(await post(unfolded, model, [SAID]), ACCEPT));
    expect(JSON.stringify(model.prompts)).not.toMatch(/ask_user|1234|Your PIN/);
    expect(model.offered).toEqual([["transfer"], ["transfer"]]);
  });

  it.each([
    ["of a wrong type", { pin: { action: "accept", content: { pin: 5 } } }],
    ["to another form", { other: { action: "accept", content: {} } }],
    ["without an action", {}],
  ])("An answer %s is not sent, and the page is asked again.", async (_, output) => {
    const { server, calls } = open();
    const model = scriptModel(major, TRANSFER, ["final"]);
    const again = await post(server, model, fill(await post(server, model, [SAID]), output));
    expect(calls).toHaveLength(1);
    expect(asked(again)).toMatchObject([{ input: { problem: expect.any(String) } }]);
    await post(server, model, fill(again, ACCEPT));
    expect(calls).toHaveLength(2);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { value: expect.stringMatching(SENT) },
    ]);
  });

  it("An answer that is no object cancels the input request.", async () => {
    const { server, calls } = open();
    const model = scriptModel(major, TRANSFER, ["final"]);
    await post(server, model, fill(await post(server, model, [SAID]), "no"));
    expect(calls[1]?.inputResponses).toEqual({ pin: { action: "cancel" } });
  });

  it("A user who writes something else instead is heard, and the model knows that the call was not continued.", async () => {
    const { server, calls } = open();
    const model = scriptModel(major, TRANSFER, ["final"]);
    const first = await post(server, model, [SAID]);
    const later = await post(server, model, [...first, { ...SAID, id: "u2" }]);
    expect(calls).toHaveLength(1);
    expect(later.at(-1)?.parts.at(-1)).toMatchObject({ text: "final" });
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "text", value: expect.stringContaining("does not continue") },
    ]);
  });

  it("Two pages with one answer, and a page that is sent again, make one call.", async () => {
    const { server, calls } = open();
    const model = scriptModel(major, TRANSFER, ["final"]);
    const yes = fill(await post(server, model, [SAID]), ACCEPT);
    await Promise.all([post(server, model, yes), post(server, model, yes)]);
    await post(server, model, yes);
    expect(calls).toHaveLength(2);
    expect(JSON.stringify(model.prompts)).toMatch(/ended early/);
  });

  it("A store that fails when the answer arrives does not end the run, and the model is told.", async () => {
    const { server, calls } = open();
    const store = new Map<string, unknown>();
    const model = scriptModel(major, TRANSFER, ["final"]);
    const asking = await post({ ...server, options: { store } }, model, [SAID]);
    const full = {
      get: (key: string) => store.get(key),
      set: () => Promise.reject(new Error("disk full")),
      delete: (key: string) => store.delete(key),
    };
    const failing = { ...server, options: { store: full } };
    const last = await post(failing, model, fill(asking, ACCEPT));
    expect(calls).toHaveLength(1);
    expect(last.at(-1)?.parts.at(-1)).toMatchObject({ text: "final" });
    expect(JSON.stringify(model.prompts.at(-1))).toMatch(/ended early.*store of the host failed/);
  });

  it("A page that changes what was asked about changes nothing.", async () => {
    const { server, calls } = open();
    const model = scriptModel(major, TRANSFER, ["final"]);
    const text = JSON.stringify(fill(await post(server, model, [SAID]), ACCEPT));
    await post(server, model, JSON.parse(text.replaceAll('"amount":5', '"amount":9000')));
    expect(calls).toMatchObject([{ arguments: { amount: 5 } }, { arguments: { amount: 5 } }]);
  });

  it("An input request is answered in its own conversation alone.", async () => {
    const { server, calls } = open();
    const mine = { ...server, chaining: { conversation: "mine" } };
    const model = scriptModel(major, TRANSFER, ["final"]);
    const yes = fill(await post(mine, model, [SAID]), ACCEPT);
    await post({ ...server, chaining: { conversation: "yours" } }, model, yes);
    expect(calls).toHaveLength(1);
    await post(mine, model, yes);
    expect(calls).toHaveLength(2);
  });

  it("A call that was approved before its server asked needs no second approval.", async () => {
    const { server, calls } = open();
    const asking = { ...server, options: { ...server.options, authorize: () => "ask" as const } };
    const model = scriptModel(major, TRANSFER, ["final"]);
    const first = await post(asking, model, decide(await post(asking, model, [SAID])));
    expect(asked(first)).toMatchObject([{ toolName: "ask_user" }]);
    await post(asking, model, fill(first, ACCEPT));
    expect(calls).toMatchObject([{}, { inputResponses: ACCEPT }]);
    expect(model.calls).toBe(2);
  });

  it("Two calls of one turn are asked about together.", async () => {
    const { server, calls } = open();
    const both = [...TRANSFER, { tool: "transfer", input: { amount: 6 } }];
    const model = scriptModel(major, both, ["final"]);
    const first = await post(server, model, [SAID]);
    expect(asked(first)).toHaveLength(2);
    await post(server, model, fill(first, ACCEPT));
    expect(calls.map((call) => call.arguments.amount).sort()).toEqual([5, 5, 6, 6]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { value: expect.stringMatching(SENT) },
      { value: expect.stringMatching(SENT) },
    ]);
  });

  it("Once an input request in a chain is answered, the hops after it are made.", async () => {
    const { server, calls } = open(({ arguments: { amount }, inputResponses }) => {
      if (amount === 6) return { content: [{ type: "text", text: "last" }] };
      if (!inputResponses) return askForPin();
      const nextTool = { tool: "transfer", arguments: { amount: 6 } };
      return { content: [{ type: "text", text: "first" }], _meta: { nextTool } };
    });
    const model = scriptModel(major, TRANSFER, ["final"]);
    await post(server, model, fill(await post(server, model, [SAID]), ACCEPT));
    expect(calls.map((call) => call.arguments.amount)).toEqual([5, 5, 6]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { value: "transfer:\nfirst\nThen transfer was called:\nlast" },
    ]);
  });

  it("Without a name for the tool that asks, the chain ends, and its error says why.", async () => {
    const { port } = askingPort();
    const host = await createHost({ servers: { bank: port } });
    const model = scriptModel(major, TRANSFER, ["final"]);
    const tools = { ask_user: { inputSchema: sdk.jsonSchema({ type: "object" }) } };
    const settings = { model: model.model, prompt: "pay", tools };
    await sdk.generateText(withChaining(host, settings) as never);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "error-text", value: expect.stringContaining("needs-input") },
    ]);
  });
});
