import { createHost, type HostOptions, type McpPort } from "@toolrail/core";
import type { PipeToolCall } from "@toolrail/core/pipe";
import { describe, expect, it } from "vitest";
import { askingPort } from "../../core/test/call/asking-port.ts";
import { withChaining } from "../src/index.ts";
import { chainedPipes, createPipeTool } from "../src/pipe/index.ts";
import { type Browser, decide, onParts, postTo, SAID } from "./browser.ts";
import { type Major, majors, type ScriptedModel, scriptModel } from "./majors.ts";
import { toolOutputs } from "./reading.ts";

const _ACCEPT = { pin: { action: "accept", content: { pin: "1234" } } };

/** A server whose `transfer` answers with its arguments, and the amounts that it was sent. */
function bank(answerCall: Parameters<typeof askingPort>[0] = undefined) {
  const sent: unknown[] = [];
  const { port } = askingPort((call) => {
    sent.push(call.arguments.amount);
    const { amount } = call.arguments;
    return answerCall?.(call) ?? { content: [], structuredContent: { amount } };
  });
  const store = new Map<string, string>();
  // As a database has it, so that nothing is kept but JSON.
  const texts = {
    get: (key: string) => JSON.parse(store.get(key) ?? "null") ?? undefined,
    set: (key: string, value: unknown) => store.set(key, JSON.stringify(value)),
    delete: (key: string) => store.delete(key),
  };
  const authorize: HostOptions["authorize"] = ({ arguments: { amount } }) =>
    Number(amount) >= 100 ? "ask" : "allow";
  return { sent, server: { port, options: { store: texts, authorize } } satisfies Server };
}

interface Server {
  readonly port: McpPort;
  readonly options: Partial<HostOptions>;
  readonly chaining?: object;
}

const transfer = (id: string, amount: unknown) => ({ id, tool: "transfer", args: { amount } });
const THREE = {
  steps: [transfer("a", 1), transfer("b", 200), transfer("c", 3)],
  return: ["a", "b", "c"].map((id) => ({ $ref: `steps.${id}.structured.amount` })),
};
const pipe = (input: object) => [{ tool: "mcp_pipe", input, id: "t1" }];

const PAID_SAYS_PAGE = { content: [{ type: "text", text: "paid" }], isError: false, hops: [] };
const PAID = { type: "text", value: expect.stringMatching(/"ok":true.*"result":\[1,200,3\]/) };

describe.each(majors)("a pipe that waits for a person on $name", (major: Major) => {
  /** One request of the browser to a process that knows nothing but the store. */
  async function post(server: Server, model: ScriptedModel, browser: Browser): Promise<Browser> {
    const host = await createHost({ servers: { bank: server.port }, ...server.options });
    return postTo(major, {
      host,
      model,
      chaining: { pipe: chainedPipes(), ...server.chaining },
      browser,
    });
  }

  const asked = (browser: Browser) =>
    (browser.at(-1)?.parts ?? []).flatMap((part) =>
      part.type === "dynamic-tool" && /approval-requested|input-available/.test(part.state)
        ? [{ toolName: part.toolName, input: part.input }]
        : [],
    );

  it("The step is a call with an approval, and the pipe continues in another process, each call made once.", async () => {
    const { sent, server } = bank();
    const runs: PipeToolCall[] = [];
    const onResult = (run: PipeToolCall) => void runs.push(run);
    const told = { ...server, chaining: { pipe: chainedPipes({ onResult }) } };
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const first = await post(told, model, [SAID]);
    expect(asked(first)).toEqual([{ toolName: "transfer", input: { amount: 200 } }]);
    expect([sent, runs]).toEqual([[1], []]);
    const second = await post(told, model, decide(first));
    expect(sent).toEqual([1, 200, 3]);
    expect(second.at(-1)?.parts.at(-1)).toMatchObject({ type: "text", text: "final" });
    expect(model.calls).toBe(2);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([PAID]);
    expect(runs).toMatchObject([{ toolCallId: "t1", spec: THREE, result: { ok: true } }]);
    await post(told, model, [...second, { ...SAID, id: "u2" }]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([PAID]);
    expect(sent).toHaveLength(3);
  });

  it("A pipe with a group continues after the approval of one of its steps.", async () => {
    const { sent, server } = bank();
    const told = { ...server, chaining: { pipe: chainedPipes() } };
    const each = (amount: number) => ({ id: `s${amount}`, tool: "transfer", args: { amount } });
    const steps = [{ id: "all", parallel: [1, 200, 3].map(each) }];
    const model = scriptModel(major, pipe({ steps }), ["final"]);
    await post(told, model, decide(await post(told, model, [SAID])));
    expect(sent).toEqual([1, 3, 200]);
    const ok = expect.stringContaining('"ok":true');
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([{ value: ok }]);
  });

  it("If the messages have lost the call of the pipe, the approved step is made, and the model never reads that it was approved.", async () => {
    const { sent, server } = bank();
    const told = { ...server, chaining: { pipe: chainedPipes(), fold: false } };
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const yes = decide(await post(told, model, [SAID])).map((message) => ({
      ...message,
      parts: message.parts.filter((part) => !("toolName" in part && part.toolName === "mcp_pipe")),
    }));
    expect(JSON.stringify(yes)).not.toContain("mcp_pipe");
    await post(told, model, yes);
    expect(sent).toEqual([1, 200, 3]);
    const [step, whole] = toolOutputs(model.prompts.at(-1));
    expect(step).toMatchObject({ value: expect.stringContaining("has not been made yet") });
    expect(whole).toMatchObject(PAID);
    expect(JSON.stringify(model.prompts)).not.toContain("pproved");
  });

  it("The model reads that nothing was called if the pipe of an approved step is gone.", async () => {
    const { sent, server } = bank();
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const yes = decide(await post(server, model, [SAID]));
    const { store } = server.options;
    const isPipe = (key: string) => key.startsWith("pipe:") || /^hop:hop-/.test(key);
    const lost = {
      ...store,
      get: (key: string) => {
        const value = store?.get(key);
        return isPipe(key) && JSON.stringify(value ?? "").includes("asks") ? undefined : value;
      },
    };
    await post({ ...server, options: { ...server.options, store: lost as never } }, model, yes);
    expect(sent).toEqual([1]);
    const read = JSON.stringify(toolOutputs(model.prompts.at(-1)));
    expect(read).toContain("next call was not made in this run");
    expect(read).not.toContain("pproved");
  });

  it("Two steps are asked about together, a later one after them.", async () => {
    const { sent, server } = bank();
    const parallel = [transfer("a", 100), transfer("b", 200), transfer("c", 1)];
    const spec = { steps: [{ id: "g", parallel }, transfer("d", 300)] };
    const model = scriptModel(major, pipe(spec), ["final"]);
    const first = await post(server, model, [SAID]);
    expect(asked(first).map(({ input }) => input)).toEqual([{ amount: 100 }, { amount: 200 }]);
    const second = await post(server, model, decide(first));
    expect(asked(second).map(({ input }) => input)).toEqual([{ amount: 300 }]);
    expect(model.calls).toBe(1);
    await post(server, model, decide(second));
    expect([...sent].sort()).toEqual([1, 100, 200, 300]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { value: expect.stringContaining('"ok":true') },
    ]);
  });

  it("A refusal makes no call, and the model reads why the pipe has ended.", async () => {
    const { sent, server } = bank();
    const model = scriptModel(major, pipe(THREE), ["final"]);
    await post(
      server,
      model,
      decide(await post(server, model, [SAID]), () => false),
    );
    expect(sent).toEqual([1]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "error-text", value: expect.stringMatching(/steps\.b.*not approved/) },
    ]);
  });

  it("Of two steps, one can be refused.", async () => {
    const { sent, server } = bank();
    const spec = { steps: [{ id: "g", parallel: [transfer("a", 100), transfer("b", 200)] }] };
    const model = scriptModel(major, pipe(spec), ["final"]);
    const first = await post(server, model, [SAID]);
    await post(
      server,
      model,
      decide(first, (input) => JSON.stringify(input).includes("200")),
    );
    expect(sent).toEqual([200]);
  });

  it("Two pages with one answer, and a page that is sent again, make each call once.", async () => {
    const { sent, server } = bank();
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const yes = decide(await post(server, model, [SAID]));
    await Promise.all([post(server, model, yes), post(server, model, yes)]);
    await post(server, model, yes);
    expect(sent).toEqual([1, 200, 3]);
  });

  it("Arguments that a page has changed are not sent.", async () => {
    const { sent, server } = bank();
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const yes = JSON.stringify(decide(await post(server, model, [SAID])));
    await post(server, model, JSON.parse(yes.replaceAll('"amount":200', '"amount":9000')));
    expect(sent).toEqual([1]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "error-text", value: expect.stringContaining("not approved") },
    ]);
  });

  it("A page that claims a step was made, or makes up a pipe that waits, makes no call.", async () => {
    const { sent, server } = bank();
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const first = await post(server, model, [SAID]);
    const claimed = onParts(first, (part) =>
      part.type === "dynamic-tool" && part.state === "approval-requested"
        ? ({
            ...part,
            state: "output-available",
            output: PAID_SAYS_PAGE,
            approval: undefined,
          } as never)
        : part,
    );
    await post(server, model, claimed);
    expect(sent).toEqual([1]);
    const strange = JSON.stringify(decide(await post(server, model, [SAID])));
    await post(
      server,
      model,
      JSON.parse(strange.replace(/"callId":"[^"]+"/, '"callId":"made-up"')),
    );
    expect(sent).not.toContain(200);
  });

  it("A user who writes something else instead is heard, and the model knows that the pipe was not continued.", async () => {
    const { sent, server } = bank();
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const first = await post(server, model, [SAID]);
    const later = await post(server, model, [...first, { ...SAID, id: "u2" }]);
    expect(sent).toEqual([1]);
    expect(later.at(-1)?.parts.at(-1)).toMatchObject({ text: "final" });
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "text", value: expect.stringContaining("has not continued") },
    ]);
  });

  it("A pipe continues in its own conversation alone.", async () => {
    const { sent, server } = bank();
    const mine = { ...server, chaining: { conversation: "mine" } };
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const yes = decide(await post(mine, model, [SAID]));
    await post({ ...server, chaining: { conversation: "yours" } }, model, yes);
    expect(sent).toEqual([1]);
    await post(mine, model, yes);
    expect(sent).toEqual([1, 200, 3]);
  });

  it("A person is asked, even if the policy has become milder; if it forbids, nothing is called.", async () => {
    const { sent, server } = bank();
    let verdict: "ask" | "allow" | { deny: string } = "ask";
    const authorize = ({ arguments: { amount } }: { arguments: { amount?: unknown } }) => {
      const was = amount === 200 ? verdict : "allow";
      if (amount === 200 && verdict === "ask") verdict = "allow";
      return was;
    };
    const changing = { ...server, options: { ...server.options, authorize } };
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const first = await post(changing, model, [SAID]);
    expect(asked(first)).toHaveLength(1);
    verdict = { deny: "closed" };
    await post(changing, model, decide(first));
    expect(sent).toEqual([1]);
  });

  it("A policy of the SDK that approves everything does not approve a step.", async () => {
    const { sent, server } = bank();
    const host = await createHost({ servers: { bank: server.port }, ...server.options });
    const { model } = scriptModel(major, pipe(THREE), ["final"]);
    const toolApproval = { transfer: "approved" } as const;
    const settings = { model, prompt: "pay", toolApproval, chaining: { pipe: chainedPipes() } };
    await major.sdk.generateText(withChaining(host, settings) as never);
    expect(sent).toEqual([1]);
  });

  it("A step whose pending hop is gone from the store is given up, and the run ends.", async () => {
    const { sent, server } = bank();
    const { store } = server.options;
    const lossy = {
      ...store,
      set: (key: string, value: object) => ("path" in value ? undefined : store.set(key, value)),
    };
    const losing = { ...server, options: { ...server.options, store: lossy } } as Server;
    const model = scriptModel(major, pipe(THREE), ["final"]);
    await post(losing, model, [SAID]);
    expect(sent).toEqual([1]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "error-text", value: expect.stringContaining("nobody has answered") },
    ]);
  });

  it("A pipe that continues calls no tool that its run does not offer.", async () => {
    const { sent, server } = bank();
    const model = scriptModel(major, pipe(THREE), ["final"]);
    const yes = decide(await post(server, model, [SAID]));
    await post({ ...server, chaining: { tools: () => false } }, model, yes);
    expect(sent).toEqual([1]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "error-text", value: expect.stringContaining("it is not offered here") },
    ]);
  });

  it("Arguments of a step that are for the user alone are read by no model, folded or not.", async () => {
    // What a server says of its arguments is for whoever it names; this one repeats none of them.
    const { sent, server } = bank(() => ({ content: [{ type: "text", text: "Done." }] }));
    const FOR_USER = { annotations: { audience: ["user"] } };
    const secret: McpPort = {
      list: async () => ({ tools: [{ name: "secret", inputSchema: { type: "object" } }] }),
      call: async () => ({
        content: [{ type: "text", text: "4711", ...FOR_USER }],
        structuredContent: { pin: 4711 },
      }),
    };
    const steps = [{ id: "s", tool: "secret" }, transfer("p", { $ref: "steps.s.structured.pin" })];
    const servers = { bank: server.port, secret };
    for (const fold of [true, false]) {
      const model = scriptModel(major, pipe({ steps }), ["final"]);
      const host = await createHost({ servers, ...server.options });
      const chaining = { pipe: chainedPipes(), fold, endWhenShown: false };
      const ask = (browser: Browser) => postTo(major, { host, model, chaining, browser });
      const end = await ask(decide(await ask([SAID])));
      await ask([...end, { ...SAID, id: "u2" }]);
      expect(model.calls).toBe(3);
      expect(JSON.stringify(model.prompts)).not.toContain("4711");
    }
    expect(sent).toEqual([4711, 4711]);
  });

  it("A pipe and a call beside it in one turn wait and continue together.", async () => {
    const { sent, server } = bank();
    const both = [...pipe(THREE), { tool: "transfer", input: { amount: 400 }, id: "t2" }];
    const model = scriptModel(major, both, ["final"]);
    let browser = await post(server, model, [SAID]);
    while (asked(browser).length > 0) browser = await post(server, model, decide(browser));
    expect([...sent].sort()).toEqual([1, 200, 3, 400]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([PAID, {}]);
  });

  it("`mcp_pipe` is offered under its name, once.", async () => {
    const { server } = bank();
    const host = await createHost({ servers: { bank: server.port } });
    const { model } = scriptModel(major, ["final"]);
    const chaining = { pipe: chainedPipes() };
    expect(Object.keys(withChaining(host, { model, chaining }).tools)).toContain("mcp_pipe");
    const twice = { model, chaining, tools: createPipeTool(host) };
    expect(() => withChaining(host, twice)).toThrow(/mcp_pipe/);
  });

  it("Without chaining the application continues, and nothing is kept if it has not asked for that.", async () => {
    const { sent, server } = bank();
    const host = await createHost({ servers: { bank: server.port }, ...server.options });
    const runs: PipeToolCall[] = [];
    const onResult = (run: PipeToolCall) => void runs.push(run);
    for (const pauses of [true, undefined]) {
      const tools = createPipeTool(host, { onResult, pauses });
      const { model } = scriptModel(major, pipe(THREE), ["final"]);
      await major.sdk.generateText({
        model,
        tools,
        prompt: "go",
        stopWhen: major.sdk.stepCountIs(3),
      });
    }
    expect(runs).toMatchObject([{ result: { paused: { asks: [{ path: "steps.b" }] } } }, {}]);
    expect(runs[1]?.result.paused).toBeUndefined();
    expect(sent).toEqual([1, 1]);
  });
});
