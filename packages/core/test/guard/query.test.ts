import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  createSingleStep,
  type GuardOutcome,
  openQuery,
  type QueryState,
} from "../../src/guard/index.ts";
import { shutQuery } from "../../src/guard/query.ts";
import { createHost, type HostEvent, ToolrailError } from "../../src/index.ts";
import { good, openDesk, outputSchema, typedTool } from "./open-desk.ts";

const A = { tool: "a" };

it("A call that a query refuses, since it has had its own, is reported.", async () => {
  const codes: unknown[] = [];
  const onEvent = (event: HostEvent) => {
    if (event.type === "guard" && event.stage === "ended") codes.push(event.code);
  };
  const { guard } = await openDesk({ a: typedTool() }, { host: { onEvent } });
  const query = guard.startQuery();
  await Promise.all([query.call(A), query.call(A)]);
  await query.call(A);
  await query.resume("approve");
  expect(codes.toSorted()).toEqual(["complete", ...Array(3).fill("step-used")]);
});

describe("query.call", () => {
  it("looks at one of several calls that are made at once", async () => {
    const { guard, desk } = await openDesk({ a: typedTool(), b: typedTool() });
    const query = guard.startQuery();
    const outcomes = await Promise.all(["a", "b", "a"].map((name) => query.call({ tool: name })));
    expect(outcomes.map(({ code }) => code)).toEqual(["complete", "step-used", "step-used"]);
    expect(query.phase).toEqual({ type: "spent" });
    expect(desk.calls).toEqual(["a"]);
  });

  it("is the call of a model, unless its origin says otherwise", async () => {
    const { guard } = await openDesk({ a: typedTool() });
    for (const options of [{}, { origin: undefined as never }])
      expect(await guard.startQuery().call(A, options)).toHaveProperty("hop.origin.by", "model");
    const own = { origin: { by: "application" } } as const;
    expect(await guard.startQuery().call(A, own)).toHaveProperty("hop.origin.by", "application");
  });

  it("gives each query a call of its own", async () => {
    const { guard } = await openDesk({ a: typedTool() });
    expect(await guard.startQuery().call(A)).toMatchObject({ code: "complete" });
    expect(await guard.startQuery().call(A)).toMatchObject({ code: "complete" });
  });

  it("asks authorize with the query as its run", async () => {
    const authorize = vi.fn((_: { runId: string }) => "allow" as const);
    const { guard } = await openDesk({ a: typedTool() }, { host: { authorize } });
    const query = guard.startQuery();
    expect(await query.call(A)).toMatchObject({ code: "complete", hop: { runId: query.id } });
    expect(new Set(authorize.mock.calls.map(([{ runId }]) => runId))).toEqual(new Set([query.id]));
  });

  it("reports a refusal as an event of the host", async () => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void events.push(event);
    const { guard } = await openDesk(
      { a: typedTool(), b: typedTool() },
      { allow: ["desk.b"], host: { onEvent } },
    );
    await guard.startQuery().call(A);
    expect(events).toContainEqual(
      expect.objectContaining({ outcome: "refused", tool: "desk.a", code: "not-allowed" }),
    );
  });

  it("names only the tools on offer when it is asked for an unknown one", async () => {
    const { guard } = await openDesk(
      { a: typedTool(), secret: typedTool() },
      { allow: ["desk.a"] },
    );
    const { message } = await guard.startQuery().call({ tool: "nope" });
    expect(message).toBe('"nope" names no tool, or several. Tools on offer: desk.a.');
  });

  it("lets the planner correct a refused call, and ends the query with the third refusal", async () => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const query = guard.startQuery();
    expect(await query.call({ tool: "nope" })).toMatchObject({ code: "unknown-tool" });
    const wrong = await query.call({ ...A, arguments: { x: 1 } });
    expect(wrong).toMatchObject({
      code: "invalid-arguments",
      message: expect.stringMatching(/^The arguments of desk\.a were not sent: .*\(x\)/),
    });
    expect(query.phase).toEqual({ type: "open", refusals: 2 });
    expect(await query.call(A)).toMatchObject({ code: "complete" });
    const stubborn = guard.startQuery();
    for (let time = 0; time < 3; time++) await stubborn.call({ tool: "nope" });
    expect(await stubborn.call(A)).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual(["a"]);
  });

  it("makes no call that was aborted before it began", async () => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const outcome = await guard.startQuery().call(A, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ code: "aborted", called: false });
    expect(desk.calls).toEqual([]);
  });

  it("says that the call may have been made when it is aborted under way", async () => {
    const aborter = new AbortController();
    const answer = () => new Promise(() => aborter.abort());
    const { guard } = await openDesk({ a: typedTool(answer) });
    const query = guard.startQuery();
    expect(await query.call(A, { signal: aborter.signal })).toMatchObject({
      code: "aborted",
      called: true,
    });
    expect(await query.call(A)).toMatchObject({ code: "step-used" });
  });

  it("reports a nextTool that no chain would follow", async () => {
    for (const nextTool of [{ tool: "other.z" }, 5]) {
      const answer = () => ({ ...good, _meta: { nextTool } });
      const { guard, desk } = await openDesk({ a: typedTool(answer) });
      const outcome = await guard.startQuery().call(A);
      expect(outcome).toMatchObject({ code: "complete" });
      expect(outcome.message).toMatch(/^desk\.a was called\. The result of desk\.a/);
      expect(desk.calls).toEqual(["a"]);
    }
  });
});

describe("query.check", () => {
  it("neither makes nor counts the call", async () => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const query = guard.startQuery();
    for (let time = 0; time < 5; time++) await query.check({ tool: "nope" });
    expect(await query.check(A)).toMatchObject({ type: "allow" });
    expect(query.phase).toEqual({ type: "open", refusals: 0 });
    expect(desk.calls).toEqual([]);
  });

  it.each([
    ["open", "allow"],
    ["pending", "ask"],
  ] as const)(
    "makes no call by a state that was %s before its call, however long ago",
    async (_, entry) => {
      const { guard, desk } = await openDesk({ a: typedTool() }, { allow: { "desk.a": entry } });
      const query = guard.startQuery();
      if (entry === "ask") await query.call(A);
      const state = await query.toState();
      const decide = async (one: typeof query) =>
        entry === "ask" ? one.resume("approve") : one.call(A);
      expect(await decide(query)).toMatchObject({ code: "complete" });
      const nowMs = performance.now();
      const clock = vi.spyOn(performance, "now").mockReturnValue(nowMs + 25 * 3_600_000);
      expect(await decide(guard.startQuery(state))).toMatchObject({ code: "step-used" });
      clock.mockRestore();
      expect(desk.calls).toEqual(["a"]);
    },
  );

  it("does not outlive the memory of its call by being stored again and again", async () => {
    const { guard, desk } = await openDesk({ a: typedTool() }, { allow: ["desk.a"] });
    const open = await guard.startQuery().toState();
    const nowMs = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(nowMs + 3_600_000);
    expect(await guard.startQuery(open).call(A)).toMatchObject({ code: "complete" });
    // The worker that made the call was lost, and the next one is refused another call.
    clock.mockReturnValue(nowMs + 23 * 3_600_000);
    const next = guard.startQuery(open);
    expect(await next.call({ ...A, tool: "desk.b" })).toMatchObject({ code: "unknown-tool" });
    const later = await next.toState();
    clock.mockReturnValue(nowMs + 26 * 3_600_000);
    expect(await guard.startQuery(later).call(A)).toMatchObject({ code: "step-used" });
    clock.mockRestore();
    expect(desk.calls).toEqual(["a"]);
  });

  it("takes the first of two answers that are given at once, and no other after it", async () => {
    const { guard, desk } = await openDesk({ a: typedTool() }, { allow: { "desk.a": "ask" } });
    const [yes, no] = ["approve", { deny: "no" }] as const;
    for (const { first, last, code } of [
      { first: yes, last: no, code: "complete" },
      { first: no, last: yes, code: "denied" },
      { first: no, last: no, code: "denied" },
    ]) {
      const query = guard.startQuery();
      await query.call(A);
      const both = await Promise.all([query.resume(first), query.resume(last)]);
      expect(both).toMatchObject([{ code }, { code: "step-used" }]);
      expect(query.phase).toEqual({ type: "spent" });
    }
    expect(desk.calls).toEqual(["a"]);
  });

  it("refuses to check a call after three refusals, so that no person is asked about it", async () => {
    const { guard } = await openDesk({ a: typedTool() }, { allow: { "desk.a": "ask" } });
    const query = guard.startQuery();
    for (let count = 0; count < 3; count++) await query.call({ ...A, tool: "desk.b" });
    expect(await query.check(A)).toMatchObject({ type: "refuse", error: { code: "step-used" } });
  });

  it("makes no call of a tool that has changed since it began", async () => {
    const { guard, host, desk } = await openDesk({ a: typedTool() });
    const query = guard.startQuery();
    await query.check(A);
    desk.tools = { a: { definition: { outputSchema, title: "Delete" }, answer: () => good } };
    await host.refresh();
    expect(await query.call(A)).toMatchObject({
      code: "tool-changed",
      called: false,
    });
    expect(desk.calls).toEqual([]);
  });

  it("refuses everything once the query has had its call", async () => {
    const { guard } = await openDesk({ a: typedTool() });
    const query = guard.startQuery();
    await query.call(A);
    expect(await query.check(A)).toMatchObject({ type: "refuse", error: { code: "step-used" } });
  });
});

describe("query.run", () => {
  it("carries out a plan, or hands on what the planner needs to know", async () => {
    const { guard } = await openDesk({ a: typedTool() });
    const call = { type: "call_tool", server: "desk", tool: "a", arguments: {} } as const;
    expect(await guard.startQuery().run(call)).toMatchObject({ code: "complete" });
    const plan = { type: "final_answer", needs_more_info: true, answer: "Which?" } as const;
    expect(await guard.startQuery().run(plan)).toMatchObject({
      code: "needs-more-info",
      message: "Which?",
    });
    const broken = { ...call, note: "" };
    expect(await guard.startQuery().run(broken)).toMatchObject({ code: "invalid-arguments" });
  });
});

describe("query.resume", () => {
  const allow = { "desk.close": "ask", "desk.read": "allow" } as const;
  const CLOSE = { tool: "close" };

  it("makes the approved call once", async () => {
    const { guard, desk } = await openDesk({ close: typedTool(), read: typedTool() }, { allow });
    const query = guard.startQuery();
    expect(await query.call(CLOSE)).toMatchObject({ pending: { tool: "close" } });
    expect(await query.call({ tool: "read" })).toMatchObject({ code: "step-used" });
    const outcomes = await Promise.all([query.resume("approve"), query.resume("approve")]);
    expect(outcomes.map(({ code }) => code)).toEqual(["complete", "step-used"]);
    expect(desk.calls).toEqual(["close"]);
  });

  it("treats anything but an approval as a denial", async () => {
    const { guard, desk } = await openDesk({ close: typedTool() }, { allow });
    for (const answer of [undefined, null, "yes", true, {}, { deny: "not today" }]) {
      const query = guard.startQuery();
      await query.call(CLOSE);
      expect(await query.resume(answer as never)).toMatchObject({ code: "denied" });
      expect(await query.resume("approve")).toMatchObject({ code: "step-used" });
    }
    expect(desk.calls).toEqual([]);
  });

  it("makes the call with the arguments of the person who approves it, which are checked strictly", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "number" } } };
    const close = { ...typedTool(), definition: { inputSchema, outputSchema } };
    const { guard, desk } = await openDesk({ close }, { allow });
    const query = guard.startQuery();
    await query.call({ tool: "close", arguments: { n: 1 } });
    const again = await query.resume({ approve: { arguments: { n: "two" } } });
    expect(again).toMatchObject({
      code: "needs-approval",
      pending: { problem: expect.any(String) },
    });
    const outcome = await query.resume({ approve: { arguments: { n: 2 } } });
    expect(outcome).toMatchObject({ code: "complete", hop: { changedFrom: { n: 1 } } });
    expect(desk.seen.map(({ arguments: args }) => args)).toEqual([{ n: 2 }]);
    const strict = guard.startQuery();
    await strict.call({ tool: "close", arguments: { n: 1 } });
    const more = { approve: { arguments: { n: 2, all: true } } };
    expect(await strict.resume(more)).toMatchObject({ code: "invalid-arguments", called: false });
    expect(desk.calls).toEqual(["close"]);
  });

  it("makes no call from a state that was kept before the denial", async () => {
    const { guard, desk } = await openDesk({ close: typedTool() }, { allow });
    const query = guard.startQuery();
    await query.call(CLOSE);
    const state = await query.toState();
    await query.resume({ deny: "not today" });
    expect(await guard.startQuery(state).resume("approve")).toMatchObject({ code: "denied" });
    expect(desk.calls).toEqual([]);
  });

  it("asks as well if the policy of the host asks", async () => {
    const authorize = () => "ask" as const;
    const { guard } = await openDesk({ read: typedTool() }, { allow, host: { authorize } });
    const query = guard.startQuery();
    expect(await query.call({ tool: "read" })).toMatchObject({ code: "needs-approval" });
    expect(await query.resume("approve")).toMatchObject({ code: "complete" });
  });

  it("makes the call in one of several processes that share a store", async () => {
    const { guard, host, desk } = await openDesk({ close: typedTool() }, { allow });
    const query = guard.startQuery();
    await query.call(CLOSE);
    const state = JSON.parse(JSON.stringify(await query.toState())) as QueryState;
    const elsewhere = [1, 2].map(() => createSingleStep(host, { allow }).startQuery(state));
    const outcomes = await Promise.all(elsewhere.map((resumed) => resumed.resume("approve")));
    expect(outcomes.map(({ code }) => code)).toEqual(["complete", "complete"]);
    expect(desk.calls).toEqual(["close"]);
  });

  it("makes no call of a tool that changed after the person was asked", async () => {
    const { guard, desk } = await openDesk({ close: typedTool() }, { allow });
    const query = guard.startQuery();
    await query.call(CLOSE);
    const state = await query.toState();
    desk.tools = { close: { definition: { outputSchema, title: "All" }, answer: () => good } };
    expect(await query.resume("approve")).toMatchObject({ code: "tool-changed" });
    expect(await guard.startQuery(state).resume("approve")).toMatchObject({ code: "tool-changed" });
    expect(desk.calls).toEqual([]);
  });
});

const WAITING = { server: "desk", tool: "a", arguments: {}, origin: { by: "model" } };

describe("the state of a query", () => {
  it.each([
    ["of an unknown phase", { type: "opened", refusals: 0 }],
    ["without its pending call", { type: "pending", refusals: 0 }],
    ["without the tools that it began with", { type: "pending", refusals: 0, call: WAITING }],
    ["with a negative count", { type: "open", refusals: -5 }],
    ["without a count", { type: "open" }],
    ["without a phase", undefined],
    ["of an older form", "open"],
  ])("is read as spent when it is one %s", async (_, phase) => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const query = guard.startQuery({ id: "1", phase } as QueryState);
    expect(await query.call(A)).toMatchObject({ code: "step-used" });
    expect(await query.resume("approve")).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual([]);
  });

  it("refuses to check a second call of runs that share an id", async () => {
    const { guard } = await openDesk({ a: typedTool(), b: typedTool() }, { allow: ["*.*"] });
    await guard.startQuery(openQuery("q")).call(A);
    const later = await guard.startQuery(openQuery("q")).check({ tool: "b" });
    expect(later).toMatchObject({ type: "refuse", error: { code: "step-used" } });
  });

  it("refuses to check a call if the store cannot say whether one was made", async () => {
    const store = {
      get: () => Promise.reject(new Error("down")),
      set: () => {},
      delete: () => true,
      claim: () => true,
    };
    const { guard } = await openDesk({ a: typedTool() }, { host: { store } });
    const checked = await guard.startQuery(openQuery("q")).check(A);
    expect(checked).toMatchObject({ type: "refuse", error: { code: "callback-failed" } });
  });

  it("waits no longer than its limit for a store that never answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const never = () => new Promise<never>(() => {});
    const store = { get: () => undefined, set: () => {}, delete: () => true, claim: never };
    const { guard, desk } = await openDesk({ a: typedTool() }, { host: { store } });
    const outcome = guard.startQuery(openQuery("q")).call(A);
    await vi.advanceTimersByTimeAsync(20_000);
    vi.useRealTimers();
    expect(await outcome).toMatchObject({ code: "callback-failed", called: false });
    expect(desk.calls).toEqual([]);
  });

  it("says that nothing was sent if the store refuses to remember the call", async () => {
    const claim = (key: string) => {
      if (!key.startsWith("query:")) throw new Error("full");
      return true;
    };
    const store = { get: () => undefined, set: () => {}, delete: () => true, claim };
    const { guard, desk } = await openDesk({ a: typedTool() }, { host: { store } });
    const outcome = await guard.startQuery(openQuery("q")).call(A);
    expect(outcome).toMatchObject({ code: "callback-failed", called: false });
    expect(desk.calls).toEqual([]);
  });

  it("says that the call may have been sent if another process has claimed it", async () => {
    const claim = (key: string) => key.startsWith("query:");
    const store = { get: () => undefined, set: () => {}, delete: () => true, claim };
    const { guard, desk } = await openDesk({ a: typedTool() }, { host: { store } });
    const outcome = await guard.startQuery(openQuery("q")).call(A);
    expect(outcome).toMatchObject({ code: "claimed-elsewhere", called: true });
    expect(desk.calls).toEqual([]);
  });

  it("is refused before its call if the memory is full, and no earlier query is forgotten", async () => {
    const limits = { maxStoreBytes: 10_000 };
    const { guard, desk } = await openDesk(
      { a: typedTool(), b: typedTool() },
      { host: { limits } },
    );
    let count = 0;
    let outcome = await guard.startQuery(openQuery("0")).call(A);
    while (outcome.code === "complete" && count < 100) {
      outcome = await guard.startQuery(openQuery(`${++count}`)).call(A);
    }
    expect(outcome).toMatchObject({ verdict: "block", code: "callback-failed" });
    expect(count).toBeGreaterThan(3);
    for (let id = 0; id < count; id++) {
      const again = await guard.startQuery(openQuery(`${id}`)).call({ tool: "b" });
      expect(again).toMatchObject({ code: "step-used" });
    }
    expect(desk.calls).toHaveLength(count);
  });

  it("lets runs that share an id share one call", async () => {
    const { guard, desk } = await openDesk({ a: typedTool(), b: typedTool() });
    expect(await guard.startQuery(openQuery("q")).call(A)).toMatchObject({ code: "complete" });
    expect(await guard.startQuery(openQuery("q")).call(A)).toMatchObject({
      code: "complete",
      hop: { madeBefore: true },
    });
    const other = { tool: "b" };
    expect(await guard.startQuery(openQuery("q")).call(other)).toMatchObject({ code: "step-used" });
    expect(await guard.startQuery(shutQuery()).call(A)).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual(["a"]);
  });
});

describe("the store of a host", () => {
  it("has no row of queries that nobody stored, so that any number of them can be made", async () => {
    const limits = { maxStoreBytes: 10_000 };
    const { guard, desk } = await openDesk({ a: typedTool() }, { host: { limits } });
    for (let made = 1; made <= 100; made++) {
      expect((await guard.startQuery().call({ tool: "desk.a" })).verdict).toBe("allow");
    }
    expect(desk.calls).toHaveLength(100);
  });

  it("has a row of a query that was stored before its call", async () => {
    const { guard, desk } = await openDesk({ a: typedTool(), b: typedTool() });
    const query = guard.startQuery();
    const kept = await query.toState();
    const outcomes = [query, guard.startQuery(kept)].map((one) => one.call({ tool: "desk.a" }));
    expect((await Promise.all(outcomes)).map(({ verdict }) => verdict)).toEqual(["allow", "allow"]);
    const later = await guard.startQuery(kept).call({ tool: "desk.b" });
    expect(later).toMatchObject({ verdict: "block", code: "step-used" });
    expect(desk.calls).toEqual(["a"]);
  });
});

describe("an id that queries of several owners have in common", () => {
  it.each([
    ["another user", {}, { context: { userId: "bob" } }],
    ["another conversation", { conversation: "1" }, { conversation: "2" }],
    ["nobody in particular", {}, { context: undefined }],
  ])("gives %s a call and a result of their own", async (_, mine, theirs) => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const ann = { context: { userId: "ann" }, ...mine };
    const bob = { ...ann, ...theirs };
    for (const owner of [ann, bob]) {
      const outcome = await guard.startQuery(openQuery("1")).call(A, owner);
      expect(outcome).toMatchObject({ code: "complete" });
      expect(outcome).not.toMatchObject({ hop: { madeBefore: true } });
    }
    expect(desk.calls).toEqual(["a", "a"]);
    const again = await guard.startQuery(openQuery("1")).call(A, ann);
    expect(again).toMatchObject({ hop: { madeBefore: true } });
  });
});

describe("a tool that changes", () => {
  it.each([
    ["its description", { outputSchema, description: "Now sends mail." }],
    ["its input schema", { outputSchema, inputSchema: { type: "object", title: "x" } }],
    ["its annotations", { outputSchema, annotations: { readOnlyHint: true } }],
    ["its output schema", { outputSchema: { ...outputSchema, title: "x" } }],
  ])("is not called when %s changed after the query began", async (_, definition) => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const query = guard.startQuery();
    desk.tools = { a: { definition, answer: () => good } };
    expect(await query.call(A)).toMatchObject({ code: "tool-changed" });
    expect(await query.call(A)).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual([]);
  });

  it("is not called when it was added after the query began", async () => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const query = guard.startQuery();
    desk.tools = { ...desk.tools, b: typedTool() };
    expect(await query.call({ tool: { server: "desk", name: "b" } })).toMatchObject({
      code: "tool-changed",
    });
    expect(desk.calls).toEqual([]);
  });

  it("is called when only the order of its keys changed", async () => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const query = guard.startQuery();
    const { type, properties, required } = outputSchema;
    desk.tools = {
      a: { definition: { outputSchema: { required, properties, type } }, answer: () => good },
    };
    expect(await query.call(A)).toMatchObject({ code: "complete" });
  });

  it("is not called when its server no longer answers", async () => {
    const { guard, desk } = await openDesk({ a: typedTool() });
    const query = guard.startQuery();
    await desk.server.close();
    expect(await query.call(A)).toMatchObject({ code: "server-unavailable", called: false });
    expect(desk.calls).toEqual([]);
  });

  it("is not called when the list of its server cannot be read again, though it would answer", async () => {
    const calls: unknown[] = [];
    let isBroken = false;
    const list = async () => {
      if (isBroken) throw new Error("later");
      return { tools: [{ name: "a", inputSchema: { type: "object" }, outputSchema }] };
    };
    const call = async (request: unknown) => {
      calls.push(request);
      return good;
    };
    const host = await createHost({ servers: { desk: { list, call } }, onEvent: () => {} });
    const query = createSingleStep(host, { allow: ["desk.a"] }).startQuery();
    isBroken = true;
    expect(await query.call(A)).toMatchObject({ code: "server-unavailable", called: false });
    isBroken = false;
    expect(await query.call(A)).toMatchObject({ code: "complete" });
    expect(calls).toHaveLength(1);
  });

  it.each(["server-unavailable", "needs-sign-in"] as const)(
    "was not made if it ends with %s, which its server has not seen",
    async (code) => {
      const tools = [{ name: "a", inputSchema: { type: "object" }, outputSchema }];
      const call = () => Promise.reject(new ToolrailError(code, "later"));
      const servers = { desk: { list: async () => ({ tools }), call } };
      const host = await createHost({ servers, onEvent: () => {} });
      const query = createSingleStep(host, { allow: ["desk.a"] }).startQuery();
      expect(await query.call(A)).toMatchObject({ code, called: false });
    },
  );
});

describe("any model", () => {
  it("gets one call at most, whatever it asks for, in whatever order", async () => {
    const next = () => ({ ...good, _meta: { nextTool: { tool: "a" } } });
    const { guard, desk } = await openDesk(
      { a: typedTool(), b: typedTool(next), ask: typedTool() },
      { allow: { "desk.a": "allow", "desk.b": "allow", "desk.ask": "ask" } },
    );
    const step = fc.record({
      tool: fc.constantFrom("a", "b", "ask", "desk.a", "hidden", "constructor", "__proto__", ""),
      arguments: fc.constantFrom({}, { x: 1 }),
      resume: fc.option(fc.constantFrom("approve" as const, { deny: "no" })),
      isChecked: fc.boolean(),
      isParallel: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        desk.calls.length = 0;
        let query = guard.startQuery();
        const running: Promise<GuardOutcome>[] = [];
        for (const { isParallel, isChecked, resume, ...request } of steps) {
          if (isChecked) await query.check(request);
          const run = resume ? query.resume(resume) : query.call(request);
          running.push(run);
          if (!isParallel) await run;
          else query = guard.startQuery(JSON.parse(JSON.stringify(await query.toState())));
        }
        const made = (await Promise.all(running)).filter((outcome) => "hop" in outcome);
        expect(made.length).toBe(desk.calls.length);
        expect(desk.calls.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });
});
