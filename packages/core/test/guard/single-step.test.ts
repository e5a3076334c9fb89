import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  type CallRequest,
  createHost,
  createQueryStore,
  createSingleStep,
  type GuardOutcome,
  type Host,
  type HostOptions,
  outcomeText,
  type QueryState,
  type SingleStepOptions,
  toSingleStep,
} from "../../src/index.ts";
import { createTestServer, type TestTool } from "../servers.ts";

const outputSchema = {
  type: "object",
  properties: { ok: { type: "boolean" } },
  required: ["ok"],
};
const good = { content: [], structuredContent: { ok: true }, isError: false };

function tool(answer: TestTool["answer"] = () => good): TestTool {
  return { definition: { outputSchema }, answer };
}

async function open(
  tools: Record<string, TestTool>,
  options: SingleStepOptions = {},
  hostOptions: Partial<HostOptions> = {},
) {
  const desk = await createTestServer(tools);
  const host: Host = await createHost({ servers: { desk: desk.client }, ...hostOptions });
  const guard = createSingleStep(host, { allow: ["desk.*"], ...options });
  return { desk, host, guard };
}

describe("createSingleStep", () => {
  it("makes one call and gives its typed value", async () => {
    const { guard, desk } = await open(
      { read: tool() },
      {},
      { schemas: { "desk.read": z.object({ ok: z.boolean().transform(String) }) } },
    );
    const outcome = await guard.startQuery().call({ tool: "read" });
    expect(outcome).toMatchObject({ verdict: "allow", code: "complete", value: { ok: "true" } });
    expect(desk.calls).toEqual(["read"]);
  });

  it("makes one of several calls at once", async () => {
    const { guard, desk } = await open({ a: tool(), b: tool(), c: tool() });
    const query = guard.startQuery();
    const outcomes = await Promise.all(["a", "b", "c"].map((name) => query.call({ tool: name })));
    expect(outcomes.map(({ code }) => code)).toEqual(["complete", "step-used", "step-used"]);
    expect(desk.calls).toEqual(["a"]);
  });

  it("makes no second call after a failed one", async () => {
    const { guard, desk } = await open({
      a: tool(() => {
        throw new Error("down");
      }),
    });
    const query = guard.startQuery();
    expect(await query.call({ tool: "a" })).toMatchObject({ verdict: "block", code: "protocol" });
    expect(await query.call({ tool: "a" })).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual(["a"]);
  });

  it("gives each query a call of its own", async () => {
    const { guard } = await open({ a: tool() });
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({ code: "complete" });
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({ code: "complete" });
  });

  it("reports a nextTool and does not follow it", async () => {
    const answer = () => ({ ...good, _meta: { nextTool: { tool: "b", arguments: { x: 1 } } } });
    const { guard, desk } = await open({ a: tool(answer), b: tool() });
    const outcome = await guard.startQuery().call({ tool: "a" });
    expect(outcome).toMatchObject({ code: "complete", notFollowed: { tool: "b" } });
    expect(desk.calls).toEqual(["a"]);
  });

  it("reports a nextTool that no chain would follow", async () => {
    for (const nextTool of [{ tool: "other.z" }, 5]) {
      const answer = () => ({ ...good, _meta: { nextTool } });
      const { guard, desk } = await open({ a: tool(answer) });
      const outcome = await guard.startQuery().call({ tool: "a" });
      expect(outcome).toMatchObject({ code: "complete" });
      expect(outcome.message).toMatch(/^desk\.a was called\. The result of desk\.a/);
      expect(desk.calls).toEqual(["a"]);
    }
  });

  it("lets a refused call be put right, three times", async () => {
    const { guard, desk } = await open({ a: tool() });
    const query = guard.startQuery();
    expect(await query.call({ tool: "nope" })).toMatchObject({ code: "unknown-tool" });
    expect(await query.call({ tool: "a", arguments: { x: 1 } })).toMatchObject({
      code: "invalid-arguments",
    });
    expect(await query.call({ tool: "a" })).toMatchObject({ code: "complete" });
    const stubborn = guard.startQuery();
    for (let time = 0; time < 3; time++) await stubborn.call({ tool: "nope" });
    expect(await stubborn.call({ tool: "a" })).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual(["a"]);
  });

  it("says that no call was made where the policy changes its mind at the door", async () => {
    const answers = ["allow", { deny: "too late" }] as const;
    let asked = 0;
    const authorize = () => answers[asked++] ?? "allow";
    const { guard, desk } = await open({ a: tool() }, {}, { authorize });
    const query = guard.startQuery();
    expect(await query.call({ tool: "a" })).toMatchObject({ code: "denied", called: false });
    expect(await query.call({ tool: "a" })).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual([]);
  });

  it("makes no call that was aborted before it began", async () => {
    const { guard, desk } = await open({ a: tool() });
    const outcome = await guard.startQuery().call({ tool: "a" }, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ code: "aborted" });
    expect(desk.calls).toEqual([]);
  });

  it("carries out a plan, or hands on what the planner needs to know", async () => {
    const { guard } = await open({ a: tool() });
    const call = { type: "call_tool", server: "desk", tool: "a", arguments: {} } as const;
    expect(await guard.startQuery().run(call)).toMatchObject({ code: "complete" });
    const plan = { type: "final_answer", needs_more_info: true, answer: "Which?" } as const;
    expect(await guard.startQuery().run(plan)).toMatchObject({
      code: "needs-more-info",
      message: "Which?",
    });
    const broken = { ...call, note: "" };
    expect(await guard.startQuery().run(broken)).toMatchObject({ code: "malformed-plan" });
  });
});

describe("toSingleStep", () => {
  it("takes a host with options, or a single step without", async () => {
    const { guard, host } = await open({ a: tool(), b: tool() }, { allow: ["desk.a"] });
    expect(toSingleStep(guard, {})).toBe(guard);
    expect(toSingleStep(host, { allow: ["desk.b"] }).tools.map(({ id }) => id)).toEqual(["desk.b"]);
    for (const options of [{ allow: ["desk.b"] }, { maxRefusals: 1 }, { relist: false }]) {
      expect(() => toSingleStep(guard, options)).toThrow("would have no effect");
    }
  });
});

describe("the allowlist", () => {
  it.each([
    ["missing", undefined, "there is no allowlist"],
    ["null", null, "there is no allowlist"],
    ["empty", [], "is empty"],
    ["an empty object", {}, "is empty"],
    ["broken JSON", '["desk.a"', "not valid JSON"],
    ["a number", 1, "must be a list"],
    ["a list with a number in it", ["desk.a", 1], "no name of a tool"],
    ["an object with an unknown word", { "desk.a": "yes" }, 'write "allow" or "ask"'],
    ["a list of what JSON cannot write", [1n], "no name of a tool"],
    ["an object of what JSON cannot write", { "desk.a": 1n }, 'write "allow" or "ask"'],
    ["a list with a hole in it", new Array(1), "no name of a tool"],
    ["JSON that says two things of a tool", '{"desk.a":"ask","desk.a":"allow"}', "twice"],
    ["an object of lists", { desk: ["a"] }, 'write "allow" or "ask"'],
  ])("denies all and says so when it is %s", async (_, allow, why) => {
    const { guard, desk } = await open({ a: tool() }, { allow: allow as never });
    expect(guard.problem).toContain(why);
    expect(guard.tools).toEqual([]);
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({
      code: "not-on-allowlist",
      message: guard.problem,
    });
    expect(desk.calls).toEqual([]);
  });

  it("offers what is listed, allowed and open to models", async () => {
    const hidden = { definition: { _meta: { ui: { visibility: ["app"] } } } };
    const { guard } = await open(
      { a: tool(), b: tool(), hidden },
      { allow: '{"desk.a":"allow","desk.hidden":"allow","desk.gone":"allow"}' },
    );
    expect(guard.tools.map(({ id }) => id)).toEqual(["desk.a"]);
    const codes: string[] = [];
    for (const name of ["b", "hidden", "gone"]) {
      codes.push((await guard.startQuery().call({ tool: name })).code);
    }
    expect(codes).toEqual(["not-on-allowlist", "not-allowed", "unknown-tool"]);
  });

  it("lets an exact name beat a pattern, and ask beat allow among patterns", async () => {
    const allow = { "desk.*": "allow", "*": "ask", "desk.a": "allow" } as const;
    const { guard } = await open({ a: tool(), b: tool() }, { allow });
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({ code: "complete" });
    expect(await guard.startQuery().call({ tool: "b" })).toMatchObject({ code: "needs-approval" });
  });

  it("takes a bare name for the one tool that has it, and for none where two have it", async () => {
    const { guard, host, desk } = await open({ a: tool(), b: tool() }, { allow: ["a"] });
    expect(guard.tools.map(({ id }) => id)).toEqual(["desk.a"]);
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({ code: "complete" });
    const other = await createTestServer({ a: tool(), "desk.b": tool() });
    const servers = { desk: { client: desk.client, shared: true }, other: other.client };
    const both = createSingleStep(await createHost({ servers }), { allow: ["a", "desk.b"] });
    expect(both.tools.map(({ id }) => id)).toEqual(["desk.b"]);
    await host.close();
  });

  it("takes a full name for no tool where two servers make it up", async () => {
    const one = await createTestServer({ "b.c": tool() });
    const two = await createTestServer({ c: tool() });
    const host = await createHost({ servers: { a: one.client, "a.b": two.client } });
    const guard = createSingleStep(host, { allow: ["a.b.c"] });
    expect(guard.tools).toEqual([]);
    expect(await guard.startQuery().call({ tool: { server: "a", name: "b.c" } })).toMatchObject({
      code: "not-on-allowlist",
    });
  });

  it("keeps asking, whatever the server says of itself", async () => {
    const safe = { outputSchema, annotations: { readOnlyHint: true, destructiveHint: false } };
    const { guard } = await open(
      { a: { definition: safe, answer: () => good } },
      { allow: { "desk.a": "ask" } },
    );
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({ verdict: "ask" });
  });
});

describe("approval", () => {
  const allow = { "desk.close": "ask", "desk.read": "allow" } as const;

  it("makes the call after a yes, once", async () => {
    const { guard, desk } = await open({ close: tool(), read: tool() }, { allow });
    const query = guard.startQuery();
    expect(await query.call({ tool: "close" })).toMatchObject({ pending: { tool: "close" } });
    expect(await query.call({ tool: "read" })).toMatchObject({ code: "step-used" });
    const outcomes = await Promise.all([query.resume("approve"), query.resume("approve")]);
    expect(outcomes.map(({ code }) => code)).toEqual(["complete", "step-used"]);
    expect(desk.calls).toEqual(["close"]);
  });

  it("makes no call after a no", async () => {
    const { guard, desk } = await open({ close: tool() }, { allow });
    const query = guard.startQuery();
    await query.call({ tool: "close" });
    expect(await query.resume({ deny: "not today" })).toMatchObject({ code: "denied" });
    expect(await query.call({ tool: "close" })).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual([]);
  });

  it("takes anything but a yes for a no", async () => {
    const { guard, desk } = await open({ close: tool() }, { allow });
    for (const answer of [undefined, null, "yes", true, {}]) {
      const query = guard.startQuery();
      await query.call({ tool: "close" });
      expect(await query.resume(answer as never)).toMatchObject({ code: "denied" });
    }
    expect(desk.calls).toEqual([]);
  });

  it("asks too where the host's own policy asks", async () => {
    const { guard } = await open({ read: tool() }, { allow }, { authorize: () => "ask" });
    const query = guard.startQuery();
    expect(await query.call({ tool: "read" })).toMatchObject({ code: "needs-approval" });
    expect(await query.resume("approve")).toMatchObject({ code: "complete" });
  });

  it("goes on in another process, and counts there too", async () => {
    const store = createQueryStore();
    const { guard, host, desk } = await open({ close: tool() }, { allow, store });
    const query = guard.startQuery();
    await query.call({ tool: "close" });
    const state = JSON.parse(JSON.stringify(query.state)) as QueryState;
    const elsewhere = [1, 2].map(() => createSingleStep(host, { allow, store }).startQuery(state));
    const outcomes = await Promise.all(elsewhere.map((resumed) => resumed.resume("approve")));
    expect(outcomes.map(({ code }) => code)).toEqual(["complete", "step-used"]);
    const [first] = elsewhere;
    const after = createSingleStep(host, { allow }).startQuery(first?.state);
    expect(await after.call({ tool: "close" })).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual(["close"]);
  });

  it("reads a state that is none as spent", async () => {
    const { guard } = await open({ close: tool() }, { allow });
    for (const state of [
      { id: "1", phase: "opened", refusals: 0 },
      { id: "1", phase: "pending", refusals: 0 },
      { id: "1", phase: "open", refusals: -5 },
    ]) {
      const query = guard.startQuery(state as QueryState);
      expect(await query.call({ tool: "close" })).toMatchObject({ code: "step-used" });
    }
  });

  it("makes no call of a tool that was changed since it was shown to the person", async () => {
    const { guard, desk } = await open({ close: tool() }, { allow });
    const query = guard.startQuery();
    await query.call({ tool: "close" });
    desk.tools = { close: { definition: { description: "Closes all." }, answer: () => good } };
    expect(await query.resume("approve")).toMatchObject({ code: "tool-changed" });
    expect(desk.calls).toEqual([]);
  });
});

describe("a tool that changes", () => {
  it.each([
    ["its description", { outputSchema, description: "Now sends mail." }],
    ["its input schema", { outputSchema, inputSchema: { type: "object", title: "x" } }],
    ["its annotations", { outputSchema, annotations: { readOnlyHint: true } }],
    ["its output schema", {}],
  ])("is not called when %s changed after the query began", async (_, definition) => {
    const { guard, desk } = await open({ a: tool() });
    const query = guard.startQuery();
    desk.tools = { a: { definition, answer: () => good } };
    expect(await query.call({ tool: "a" })).toMatchObject({ code: "tool-changed" });
    expect(await query.call({ tool: "a" })).toMatchObject({ code: "step-used" });
    expect(desk.calls).toEqual([]);
  });

  it("is not called when it came after the query began", async () => {
    const { guard, desk, host } = await open({ a: tool() });
    const query = guard.startQuery();
    desk.tools = { ...desk.tools, b: tool() };
    await host.refresh();
    expect(await query.call({ tool: "b" })).toMatchObject({ code: "tool-changed" });
    expect(desk.calls).toEqual([]);
  });

  it("is called when only the order of its keys changed", async () => {
    const { guard, desk } = await open({ a: tool() });
    const query = guard.startQuery();
    const { type, properties, required } = outputSchema;
    desk.tools = {
      a: { definition: { outputSchema: { required, properties, type } }, answer: () => good },
    };
    expect(await query.call({ tool: "a" })).toMatchObject({ code: "complete" });
  });

  it("is not called when its server no longer lists anything", async () => {
    const { guard, desk } = await open({ a: tool() });
    const query = guard.startQuery();
    await desk.server.close();
    expect((await query.call({ tool: "a" })).verdict).toBe("block");
    expect(desk.calls).toEqual([]);
  });
});

describe("output", () => {
  it.each([
    [
      "text where structure was promised",
      { content: [{ type: "text", text: "ok" }] },
      "untyped-output",
    ],
    [
      "structure of another type",
      { content: [], structuredContent: { ok: "yes" } },
      "untyped-output",
    ],
    ["metadata alone", { content: [], _meta: { a: 1 } }, "untyped-output"],
    ["an error with sound structure", { ...good, isError: true }, "tool-error"],
    ["isError as text", { ...good, isError: "true" }, "malformed-result"],
    ["isError as null", { ...good, isError: null }, "malformed-result"],
    ["an interim result", { resultType: "input_required", content: [] }, "unsupported-result"],
  ])("is not taken for typed: %s", async (_, answer, code) => {
    const intercept = [async () => answer as never];
    const { guard } = await open({ a: tool() }, {}, { intercept });
    const query = guard.startQuery();
    const outcome = await query.call({ tool: "a" });
    expect(outcome.code).toBe(code);
    expect(outcome).not.toHaveProperty("value");
    expect(await query.call({ tool: "a" })).toMatchObject({ code: "step-used" });
  });

  it("without a schema is raw, with a note and the text for the user", async () => {
    const { guard } = await open({
      a: { answer: () => ({ content: [{ type: "text", text: "hi" }] }) },
    });
    const outcome = await guard.startQuery().call({ tool: "a" });
    expect(outcomeText(outcome)).toMatch(
      /desk.a sent no checked output\..*no model has read it\.\nhi/,
    );
  });

  it("refused by the registered parser is raw, even where the server's schema accepts it", async () => {
    const schemas = { "desk.a": z.object({ ok: z.literal(false) }) };
    const { guard } = await open({ a: tool() }, {}, { schemas });
    expect(await guard.startQuery().call({ tool: "a" })).toMatchObject({ code: "untyped-output" });
  });

  it("reaches the user word for word where no model answers", async () => {
    const { guard } = await open({ a: tool() });
    expect(outcomeText(await guard.startQuery().call({ tool: "a" }))).toBe('{"ok":true}');
    expect(outcomeText(await guard.startQuery().call({ tool: "b" }))).toContain("no tool");
  });
});

describe("any model", () => {
  it("gets one call at most, whatever it asks for, in whatever order", async () => {
    const { guard, desk } = await open(
      { a: tool(), b: tool(() => ({ ...good, _meta: { nextTool: { tool: "a" } } })), ask: tool() },
      { allow: { "desk.a": "allow", "desk.b": "allow", "desk.ask": "ask" }, relist: false },
    );
    const step = fc.record({
      tool: fc.constantFrom("a", "b", "ask", "desk.a", "hidden", "constructor", "__proto__", ""),
      arguments: fc.constantFrom({}, { x: 1 }),
      resume: fc.option(fc.constantFrom("approve" as const, { deny: "no" })),
      isParallel: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        desk.calls.length = 0;
        let query = guard.startQuery();
        const running: Promise<GuardOutcome>[] = [];
        for (const { isParallel, resume, ...request } of steps) {
          const run = resume ? query.resume(resume) : query.call(request as CallRequest);
          running.push(run);
          if (!isParallel) await run;
          else query = guard.startQuery(JSON.parse(JSON.stringify(query.state)) as QueryState);
        }
        const made = (await Promise.all(running)).filter((outcome) => "hop" in outcome);
        expect(made.length).toBe(desk.calls.length);
        expect(desk.calls.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 200 },
    );
  });
});
