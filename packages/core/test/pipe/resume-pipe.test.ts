import { describe, expect, it } from "vitest";
import { createHost, type HostOptions } from "../../src/index.ts";
import { type PipeResult, resumePipe, runPipe, toPipeReply } from "../../src/pipe/index.ts";
import { setClock } from "../clock.ts";
import type { TestTool } from "../servers.ts";
import { echo, failing, openPipeHost, say } from "./pipe-scenario.ts";

const pay = (id: string, amount: unknown = id) => ({ id, tool: "pay", args: { amount } });
const asksForPay: Omit<HostOptions, "servers"> = {
  authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
};
const open = (more: object = {}, tools: Record<string, TestTool> = {}) =>
  openPipeHost({ echo, pay: echo, ...tools }, { ...asksForPay, ...more });

const pauseOf = ({ paused }: PipeResult) => {
  if (!paused) throw new Error("The pipe does not wait.");
  return paused;
};
const pathsOf = ({ paused }: PipeResult) => paused?.asks.map(({ path }) => path);

describe("a pipe that waits", () => {
  it("A step that needs a person pauses the pipe, which continues once they approve.", async () => {
    const { host, web, events } = await open();
    const group = { id: "g", parallel: [say("c")] };
    const steps = [say("a"), group, pay("p", { $ref: "steps.a.structured.v" }), say("b")];
    const spec = { steps, return: { $ref: "steps" } };
    const waiting = await runPipe(host, { spec, pauses: true });
    expect(waiting).toMatchObject({
      ok: false,
      error: "The pipe waits for a person at steps.p.",
      result: null,
      steps: { a: { ok: true } },
      paused: { asks: [{ path: "steps.p", pending: { tool: "pay", arguments: { amount: "a" } } }] },
    });
    const end = await resumePipe(host, {
      paused: pauseOf(waiting),
      answers: { "steps.p": "approve" },
    });
    expect(end).toMatchObject({
      ok: true,
      error: "",
      steps: { p: { structured: { amount: "a" } } },
    });
    expect(end.steps).toMatchObject(waiting.steps);
    expect(web.calls).toEqual(["echo", "echo", "pay", "echo"]);
    const told = events.flatMap((event) => {
      if (event.type === "pipe") return [event.stage];
      return event.type === "step" ? [`${event.path} ${event.stage}`] : [];
    });
    const both = (path: string) => [`${path} started`, `${path} ended`];
    const inGroup = ["steps.g started", ...both("steps.g.children.c"), "steps.g ended"];
    const order = [...both("steps.a"), ...inGroup, ...both("steps.p"), ...both("steps.b")];
    expect(told).toEqual(["started", ...order, "ended"]);
  });

  it("A step continues with the arguments of the person who approves it, and the model is told.", async () => {
    const { host, web } = await open();
    const steps = [say("a"), pay("p", { $ref: "steps.a.structured.v" })];
    const waiting = await runPipe(host, { spec: { steps }, author: "model", pauses: true });
    const answers = { "steps.p": { approve: { arguments: { amount: "less" } } } };
    const end = await resumePipe(host, { paused: pauseOf(waiting), answers });
    expect(end).toMatchObject({ ok: true, result: { amount: "less" } });
    expect(web.seen.at(-1)?.arguments).toEqual({ amount: "less" });
    expect(end.steps.p).toMatchObject({ hops: [{ changedFrom: { amount: "a" } }] });
    expect(toPipeReply(end).changed).toEqual([
      'steps.p: The person who approved this call changed its arguments: {"amount":"less"}.',
    ]);
  });

  it("A pipe still waits if nobody waits for it any more when it is to continue.", async () => {
    const { host } = await open();
    const paused = pauseOf(await runPipe(host, { spec: { steps: [pay("p")] }, pauses: true }));
    const answers = { "steps.p": "approve" } as const;
    const gone = resumePipe(host, { paused, answers, signal: AbortSignal.abort() });
    await expect(gone).rejects.toMatchObject({ code: "aborted" });
    expect(await resumePipe(host, { paused, answers })).toMatchObject({ ok: true });
  });

  it("After a failure beside it, a pipe that continues ends what waited, with what follows in its own list.", async () => {
    const { host, web } = await open({}, { fail: failing("no") });
    const nested = { id: "n", pipe: { steps: [pay("p"), say("later")] } };
    const group = { id: "g", parallel: [{ id: "f", tool: "fail" }, nested] };
    const waiting = await runPipe(host, { spec: { steps: [group, say("never")] }, pauses: true });
    const path = "steps.g.children.n.steps.p";
    expect(pathsOf(waiting)).toEqual([path]);
    const end = await resumePipe(host, {
      paused: pauseOf(waiting),
      answers: { [path]: "approve" },
    });
    expect(end).toMatchObject({ ok: false, error: "steps.g.children.f: no" });
    expect(web.calls).toEqual(["fail", "pay", "echo"]);
  });

  it("A pipe that waited has the same result as one that needs no approval.", async () => {
    const plain = await openPipeHost({ echo, pay: echo });
    const { host } = await open();
    const each = (bill: string) => {
      return { id: `b${bill}`, pipe: { vars: {}, steps: [say("x", bill), pay("p", bill)] } };
    };
    const steps = [
      { id: "all", parallel: ["1", "2", "3"].map(each) },
      { id: "both", parallel: [pay("l"), { id: "n", pipe: { steps: [pay("m"), say("o")] } }] },
    ];
    const spec = { steps, return: { $ref: "steps" } };
    let end = await runPipe(host, { spec, pauses: true });
    const rounds: unknown[] = [];
    for (; end.paused; ) {
      const paths = pathsOf(end) ?? [];
      rounds.push(paths);
      const answers = Object.fromEntries(paths.map((path) => [path, "approve" as const]));
      end = await resumePipe(host, { paused: pauseOf(end), answers });
    }
    expect(rounds).toEqual([
      [1, 2, 3].map((bill) => `steps.all.children.b${bill}.steps.p`),
      ["steps.both.children.l", "steps.both.children.n.steps.m"],
    ]);
    const known = (result: PipeResult) =>
      JSON.parse(JSON.stringify(result), (key, value) =>
        /^(started_at|duration_ms|startedAtMs|durationMs|runId|callId|pipeId)$/.test(key)
          ? 0
          : value,
      );
    expect(known(end)).toEqual(known(await runPipe(plain.host, { spec })));
  });

  it("Each step is asked about once, and called once, even if others are decided later.", async () => {
    const { host, web } = await open();
    const group = { id: "g", parallel: [pay("p"), pay("q"), say("r")] };
    const spec = { steps: [say("a"), group, pay("z")] };
    const one = await runPipe(host, { spec, pauses: true });
    expect(pathsOf(one)).toEqual(["steps.g.children.p", "steps.g.children.q"]);
    const two = await resumePipe(host, {
      paused: pauseOf(one),
      answers: { "steps.g.children.q": "approve" },
    });
    expect(pathsOf(two)).toEqual(["steps.g.children.p"]);
    const three = await resumePipe(host, {
      paused: pauseOf(two),
      answers: { "steps.g.children.p": "approve" },
    });
    expect(pathsOf(three)).toEqual(["steps.z"]);
    const end = await resumePipe(host, {
      paused: pauseOf(three),
      answers: { "steps.z": "approve" },
    });
    expect(end).toMatchObject({ ok: true });
    const values = web.seen.map((call) => call.arguments.v ?? call.arguments.amount);
    expect(values).toEqual(["a", "r", "q", "p", "z"]);
  });

  it("A step that was approved is made, though a step beside it has failed.", async () => {
    const { host, web } = await open({}, { bad: failing("no luck") });
    const group = { id: "g", parallel: [{ id: "f", tool: "bad" }, pay("p")] };
    const waiting = await runPipe(host, { spec: { steps: [group] }, pauses: true });
    const answers = { "steps.g.children.p": "approve" } as const;
    const end = await resumePipe(host, { paused: pauseOf(waiting), answers });
    expect(end).toMatchObject({
      ok: false,
      error: "steps.g.children.f: no luck",
      steps: { g: { children: { p: { ok: true } } } },
    });
    expect(web.calls).toEqual(["bad", "pay"]);
  });

  it("A step whose id holds dots is no child of a group, and takes no result of it.", async () => {
    const { host, web } = await open();
    const group = { id: "g", parallel: [say("x", "the child")] };
    const spec = { steps: [group, say("g.children.x", "the step"), pay("p")] };
    const { steps } = await runPipe(host, { spec, pauses: true });
    expect(steps["g.children.x"]).toMatchObject({ structured: { v: "the step" } });
    expect(web.seen.map(({ arguments: { v } }) => v)).toEqual(["the child", "the step"]);
  });

  it("A refusal fails its step, and the pipe ends or continues as its spec says.", async () => {
    const { host, web } = await open();
    for (const goesOn of [false, true]) {
      const spec = { steps: [pay("p"), say("b")], continue_on_error: goesOn };
      const waiting = await runPipe(host, { spec, pauses: true });
      const answers = { "steps.p": { deny: "too much" } };
      const end = await resumePipe(host, { paused: pauseOf(waiting), answers });
      expect(end.error).toMatch(/steps\.p: .*not approved: too much/);
      expect(Object.keys(end.steps)).toEqual(goesOn ? ["p", "b"] : ["p"]);
    }
    expect(web.calls).toEqual(["echo"]);
  });

  it("A pipe that is resumed twice, at once, later, or in another process, makes each call once.", async () => {
    const texts = new Map<string, string>();
    const store = {
      get: (key: string) => JSON.parse(texts.get(key) ?? "null") ?? undefined,
      set: (key: string, value: unknown) => texts.set(key, JSON.stringify(value)),
      delete: (key: string) => texts.delete(key),
    };
    const { host, web } = await open({ store });
    const spec = { steps: [say("a"), pay("p"), say("b"), pay("q")] };
    const kept = JSON.stringify((await runPipe(host, { spec, pauses: true })).paused);
    const servers = { web: web.client };
    const goOn = async (kept: string, path: string, at = host) => {
      return resumePipe(at, { paused: JSON.parse(kept), answers: { [path]: "approve" } });
    };
    const [one, two] = await Promise.all([goOn(kept, "steps.p"), goOn(kept, "steps.p")]);
    expect(web.calls).toEqual(["echo", "pay", "echo"]);
    expect([pathsOf(one), pathsOf(two)]).toEqual([["steps.q"], ["steps.q"]]);
    const other = await createHost({ ...asksForPay, servers, store });
    const again = JSON.stringify((await goOn(kept, "steps.p", other)).paused);
    for (const at of [other, host]) {
      expect(await goOn(again, "steps.q", at)).toMatchObject({ ok: true, result: { amount: "q" } });
    }
    expect(web.calls).toEqual(["echo", "pay", "echo", "pay"]);
  });

  it("A pipe goes on after a restart with what the application kept, without a store.", async () => {
    const { host, web } = await open();
    const spec = { steps: [say("a"), pay("p"), say("b", { $ref: "steps.a.structured.v" })] };
    const waiting = await runPipe(host, { spec, pauses: true, conversation: "mine" });
    const paused = JSON.parse(JSON.stringify(waiting.paused));
    const restarted = await createHost({ ...asksForPay, servers: { web: web.client } });
    expect(
      await resumePipe(restarted, { paused, answers: { "steps.p": "approve" } }),
    ).toMatchObject({ ok: true, result: { v: "a" } });
    expect(web.calls).toEqual(["echo", "pay", "echo"]);
  });

  it("With a secret, a pipe of another host is not continued, and neither is a call that was changed in it.", async () => {
    const { host, web } = await open({ secret: "s".repeat(32) });
    const unsigned = await createHost({ ...asksForPay, servers: { web: web.client } });
    const spec = { steps: [pay("p")] };
    const forged = pauseOf(await runPipe(unsigned, { spec, pauses: true }));
    const own = JSON.stringify(pauseOf(await runPipe(host, { spec, pauses: true })));
    const changed = JSON.parse(own.replaceAll('"amount":"p"', '"amount":"all"'));
    for (const paused of [forged, changed]) {
      const end = await resumePipe(host, { paused, answers: { "steps.p": "approve" } });
      expect(end.ok).toBe(false);
    }
    expect(web.calls).toEqual([]);
  });

  it("Answers to something else, another conversation, and a pause that was changed are refused.", async () => {
    const { host, web } = await open();
    const waiting = await runPipe(host, {
      spec: { steps: [pay("p")] },
      pauses: true,
      conversation: "mine",
    });
    const paused = pauseOf(waiting);
    const goOn = (answers: object, more: object = {}) =>
      resumePipe(host, { paused, answers: answers as never, ...more });
    const refused = { code: "invalid-options" };
    for (const answers of [{ "steps.q": "approve" }, { "steps.p": "yes" }, { "steps.p": null }]) {
      await expect(goOn(answers)).rejects.toMatchObject(refused);
    }
    const yes = { "steps.p": "approve" };
    await expect(goOn(yes, { conversation: "yours" })).rejects.toMatchObject(refused);
    const { run } = paused;
    const parts: readonly object[] = [
      {},
      { run: null },
      ...["pipe", "vars", "limits", "journal", "pipeId", "usedMs"].flatMap((name) =>
        [undefined, null, 7, [7], [[7, 7]], [["steps.p", { type: "waiting" }]]]
          .filter((value) => !(name === "usedMs" && value === 7))
          .map((value) => ({ run: { ...run, [name]: value } })),
      ),
    ];
    for (const part of parts) {
      const changed = { paused: { asks: [], ...part } };
      await expect(goOn(yes, changed), JSON.stringify(part)).rejects.toMatchObject(refused);
    }
    expect(web.calls).toEqual([]);
    expect(await goOn(yes)).toMatchObject({ ok: true });
  });

  it("The time that a pipe waits does not count as its own.", async () => {
    let nowMs = 1_000_000;
    const slow: TestTool = {
      answer: () => {
        nowMs += 400;
        return { content: [] };
      },
    };
    setClock(() => nowMs);
    const { host, events } = await open({}, { slow });
    const step = (id: string) => ({ id, tool: "slow" });
    const spec = { steps: [step("a"), pay("p"), step("b")] };
    const limits = { runTimeoutMs: 1_000 };
    const waiting = await runPipe(host, { spec, pauses: true, limits });
    nowMs += 60_000;
    const end = await resumePipe(host, {
      paused: pauseOf(waiting),
      answers: { "steps.p": "approve" },
    });
    expect(end).toMatchObject({ ok: true });
    expect(events.findLast(({ type }) => type === "pipe")).toMatchObject({ elapsedMs: 800 });
    const long = { steps: [...spec.steps, step("c"), step("d")] };
    const again = await runPipe(host, { spec: long, pauses: true, limits });
    const late = await resumePipe(host, {
      paused: pauseOf(again),
      answers: { "steps.p": "approve" },
    });
    expect(late.error).toBe("steps.d: There was no time left to call web.slow.");
  });

  it("A pipe that continues calls no tool that is no longer offered, and keeps what it did.", async () => {
    const { host, web } = await open();
    const steps = [say("a"), pay("p"), say("b")];
    for (const [tools, error, calls] of [
      [["web.pay"], "steps.b: web.echo was not called: it is not offered here.", ["echo", "pay"]],
      [["web.echo"], "steps.p: web.pay was not called: it is not offered here.", ["echo"]],
    ] as const) {
      web.calls.length = 0;
      const asked = { spec: { steps }, author: "model", tools: ["web.*"], pauses: true } as const;
      const paused = pauseOf(await runPipe(host, asked));
      const end = await resumePipe(host, { paused, tools, answers: { "steps.p": "approve" } });
      expect(end).toMatchObject({ ok: false, error, steps: { a: { ok: true } } });
      expect(web.calls).toEqual(calls);
    }
  });

  it("A model's pipe still keeps what is for the user alone from the reply after it waited.", async () => {
    const secret: TestTool = {
      answer: () => ({
        content: [{ type: "text", text: "hidden", annotations: { audience: ["user"] } }],
      }),
    };
    const { host } = await open({}, { secret });
    const steps = [{ id: "s", tool: "secret" }, pay("p")];
    const spec = { steps, return: { $ref: "steps.s.text" } };
    const waiting = await runPipe(host, { spec, author: "model", pauses: true });
    const end = await resumePipe(host, {
      paused: pauseOf(waiting),
      answers: { "steps.p": "approve" },
    });
    const plain = await openPipeHost({ secret, pay: echo });
    const { result, result_for_model } = await runPipe(plain.host, { spec, author: "model" });
    expect(end).toMatchObject({
      result,
      ...(result_for_model !== undefined && { result_for_model }),
    });
  });
});
