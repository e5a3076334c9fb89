import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { HostEvent } from "@toolrail/core";
import { toolSearch } from "ai";
import { describe, expect, it } from "vitest";
import { openHouse } from "../../core/test/unlocking-house.ts";
import { createTools, withChaining } from "../src/index.ts";
import { chainedPipes } from "../src/pipe/index.ts";
import { asksFor, CHAIN, NUMBER, openBank, text, USER } from "./bank.ts";
import { majorNamed, majors, scriptModel } from "./majors.ts";
import { answerTo, toolOutputs } from "./reading.ts";
import { generate, runs } from "./runs.ts";

const ai7 = majorNamed("ai 7");
const SEARCH = { tools: { search: toolSearch() } };
const DEFER_B_AND_C = { ...SEARCH, chaining: { defer: ["bank.b", "c"] } };

interface WireBody {
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

type WireCall = readonly [tool: string, input?: object];

/** A provider's real package over a wire that records what is sent, and says these turns: calls of tools, or a text. */
function openWire(...turns: readonly (WireCall | string)[]) {
  const bodies: WireBody[] = [];
  const provider = createOpenAICompatible({
    name: "wire",
    baseURL: "http://wire.invalid",
    fetch: async (_url, init) => {
      const turn = turns[Math.min(bodies.length, turns.length - 1)] ?? "done";
      bodies.push(JSON.parse(String(init?.body)));
      const message = typeof turn === "string" ? { content: turn } : { tool_calls: [toCall(turn)] };
      const choices = [
        { index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" },
      ];
      return Response.json({ id: "1", object: "chat.completion", choices });
    },
  });
  const toCall = ([name, input = {}]: WireCall) => ({
    id: `call-${bodies.length}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  });
  const offered = () => bodies.map(({ tools }) => tools.map((tool) => tool.function.name));
  return { model: provider.chatModel("m"), bodies, offered };
}

describe("Tools that a model has not discovered by the toolSearch of ai 7", () => {
  it("are not in the request of the provider, and a chain of hops reaches them", async () => {
    const { host, server } = await openBank(CHAIN);
    const { model, bodies, offered } = openWire(["a"], "final");
    const settings = withChaining(host, { model, ...DEFER_B_AND_C });
    const { text: said } = await ai7.sdk.generateText({ ...settings, prompt: "hi" } as never);
    expect(said).toBe("final");
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(offered()).toEqual([
      ["search", "a"],
      ["search", "a"],
    ]);
    const whole = "a:\na result\nThen b was called:\nb result\nThen c was called:\nc result";
    expect(bodies.at(-1)?.messages.at(-1)?.content).toBe(whole);
  });

  it("are in the next request after the model has found them", async () => {
    const { host, server } = await openBank(CHAIN);
    const { model, offered } = openWire(["search", { query: "c" }], ["c", { id: 1 }], "final");
    const settings = withChaining(host, { model, ...DEFER_B_AND_C });
    await ai7.sdk.generateText({ ...settings, prompt: "hi" } as never);
    expect(offered()).toEqual([
      ["search", "a"],
      ["search", "a", "c"],
      ["search", "a", "c"],
    ]);
    expect(server.calls).toEqual(["c"]);
  });

  it.each(runs)("are asked about as hops of $name, and called when approved", async ({ run }) => {
    const { host, server } = await openBank(CHAIN, asksFor("b"));
    const script = scriptModel(ai7, [{ tool: "a" }], ["final"]);
    const settings = withChaining(host, { model: script.model, ...DEFER_B_AND_C });
    const first = await run(ai7, { ...settings, messages: [USER] } as never);
    const messages = [USER, ...first.messages];
    expect(server.calls).toEqual(["a"]);
    await run(ai7, { ...settings, messages: [...messages, answerTo(messages, true)] } as never);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(script.offered).toEqual([
      ["search", "a"],
      ["search", "a"],
    ]);
  });

  it("are asked about as steps of a pipe, and the pipe continues", async () => {
    const { host, server } = await openBank(
      { b: { definition: NUMBER, answer: () => ({ content: [text("b result")] }) } },
      asksFor("b"),
    );
    const input = { steps: [{ id: "one", tool: "b", args: { id: 1 } }] };
    const script = scriptModel(ai7, [{ tool: "mcp_pipe", input }], ["final"]);
    const chaining = { defer: ["b"], pipe: chainedPipes() };
    const settings = withChaining(host, { model: script.model, ...SEARCH, chaining });
    const first = await generate(ai7, { ...settings, messages: [USER] } as never);
    expect(server.calls).toEqual([]);
    const messages = [USER, ...first.messages];
    const answered = [...messages, answerTo(messages, true)];
    const { text: said } = await generate(ai7, { ...settings, messages: answered } as never);
    expect([said, server.calls]).toEqual(["final", ["b"]]);
    expect(script.offered[0]).toEqual(["search", "mcp_pipe"]);
  });

  it("are reached by a hop, and hidden from another run of the same settings that continues at that moment", async () => {
    const { host, server } = await openBank(CHAIN);
    const { model, offered } = openWire(["a"], "other", "final");
    const settings = withChaining(host, { model, ...DEFER_B_AND_C });
    const start = (prepareStep: typeof settings.prepareStep) =>
      ai7.sdk.generateText({ ...settings, prepareStep, prompt: "hi" } as never);
    let said = "";
    const { text: last } = await start(async (options) => {
      const step = await settings.prepareStep(options);
      if (options.steps.length === 1) said = (await start(settings.prepareStep)).text;
      return step;
    });
    expect([said, last]).toEqual(["other", "final"]);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(new Set(offered().flat())).toEqual(new Set(["search", "a"]));
  });

  it("stay deferred if a server lists them while the run continues, and a hop reaches them", async () => {
    const { host, calls } = await openHouse(["inside"], { tool: "inside" });
    const { model, offered } = openWire(["open"], "final");
    const settings = withChaining(host, { model, ...SEARCH, chaining: { defer: ["inside"] } });
    await ai7.sdk.generateText({ ...settings, prompt: "hi" } as never);
    expect(calls).toEqual(["open", "inside"]);
    expect(offered()).toEqual([
      ["search", "open"],
      ["search", "open"],
    ]);
  });
});

describe("The option defer", () => {
  it("defers nothing while no more tools are offered than it says", async () => {
    const { host } = await openBank(CHAIN);
    const deferredOf = (above: number) =>
      Object.entries(createTools(host, { defer: { above } })).flatMap(([name, tool]) =>
        tool.deferLoading ? name : [],
      );
    expect(deferredOf(3)).toEqual([]);
    expect(deferredOf(2)).toEqual(["a", "b", "c"]);
  });

  it.each(["createTools", "withChaining"])(
    "is a problem that names the nearest tool if %s gets a misspelt name",
    async (way) => {
      const events: HostEvent[] = [];
      const { host } = await openBank(CHAIN, { onEvent: (event) => void events.push(event) });
      const { model } = scriptModel(ai7, ["final"]);
      if (way === "createTools") createTools(host, { defer: ["bnk.a"] });
      else withChaining(host, { model, ...SEARCH, chaining: { defer: ["bnk.a"] } });
      const said = '`defer` names "bnk.a", but no server lists such a tool. Did you mean "bank.a"?';
      await expect.poll(() => host.problems.map(({ message }) => message)).toEqual([said]);
      expect(events.map(({ message }) => message)).toContainEqual(expect.stringContaining(said));
    },
  );

  it("is refused without a search, with another kind of search, or with options that do not exist", async () => {
    const { host } = await openBank(CHAIN);
    const { model } = scriptModel(ai7, ["final"]);
    const chaining = { defer: ["b"] };
    expect(() => withChaining(host, { model, chaining })).toThrow(/has no toolSearch\(\) of ai 7/);
    expect(() => createTools(host, { defer: { by: "me" } as never })).toThrow(
      /"sdk" or "provider"/,
    );
    expect(() => createTools(host, { defer: { abov: 5 } as never })).toThrow(
      /Did you mean "above"/,
    );
  });
});

describe.each(majors)("Tools that are left to the search of the provider on $name", (major) => {
  it("are marked for OpenAI and Anthropic in the model's turns, and hops reach them", async () => {
    const { host, server } = await openBank(CHAIN);
    const script = scriptModel(major, [{ tool: "a" }], ["final"]);
    const chaining = { defer: { tools: ["b", "c"], by: "provider" } } as const;
    const settings = withChaining(host, { model: script.model, chaining });
    const { steps } = await generate(major, { ...settings, prompt: "hi" } as never);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(toolOutputs(script.prompts.at(-1))).toHaveLength(1);
    expect(steps).toHaveLength(4);
    const mark = { openai: { deferLoading: true }, anthropic: { deferLoading: true } };
    for (const { tools = [] } of script.model.doGenerateCalls) {
      expect(tools.map((tool) => ("providerOptions" in tool ? tool.providerOptions : {}))).toEqual([
        {},
        mark,
        mark,
      ]);
    }
  });
});
