import { describe, expect, it } from "vitest";
import {
  type AnswerOptions,
  answerQuery,
  createSingleStep,
  plannerPrompt,
} from "../../src/guard/index.ts";
import { createHost } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const outputSchema = {
  type: "object",
  properties: { title: { type: "string" } },
  required: ["title"],
};
const PLAN = '{"type":"call_tool","tool":"desk.read","arguments":{}}';

async function open(
  structuredContent: unknown = { title: "The invoice run failed" },
  content: object[] = [],
) {
  const answer = () => ({ content, structuredContent });
  const desk = await createTestServer({
    read: { definition: { outputSchema }, answer },
    close: { definition: { outputSchema }, answer },
  });
  const host = await createHost({ servers: { desk: desk.client } });
  const guard = createSingleStep(host, { allow: { "desk.read": "allow", "desk.close": "ask" } });
  const ask = (options: Partial<AnswerOptions> = {}) =>
    answerQuery(guard, { query: "What is wrong?", plan: () => PLAN, ...options });
  return { desk, guard, ask };
}

const evidence = "The invoice run failed";

describe("answerQuery", () => {
  it("goes from the query to a grounded summary", async () => {
    const { ask, desk } = await open();
    const summarize = () => ({ type: "summary", bullets: [{ claim: "It failed.", evidence }] });
    const answer = await ask({ policy: () => "allow", summarize });
    expect(answer.outcome).toMatchObject({ code: "complete", value: { title: evidence } });
    expect(answer.summary).toMatchObject({ grounded: true });
    expect(desk.calls).toEqual(["read"]);
  });

  it("shows the planner the tools that are listed and allowed at that moment", async () => {
    const { ask, desk } = await open();
    const { read: _, close = {} } = desk.tools;
    desk.tools = { close, secret: close };
    let seen: string[] = [];
    await ask({
      plan: (_, tools) => {
        seen = tools.map(({ id }) => id);
        return plannerPrompt(tools);
      },
    });
    expect(seen).toEqual(["desk.close"]);
  });

  it.each([
    ["denies", () => ({ deny: "not about passwords" })],
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    ["gives no answer", () => undefined as never],
  ])("neither discovers nor plans if the policy %s", async (_, policy) => {
    const { ask, desk } = await open();
    let planned = false;
    const plan = () => {
      planned = true;
      return PLAN;
    };
    expect((await ask({ policy, plan })).outcome).toMatchObject({ code: "denied" });
    expect(planned).toBe(false);
    expect(desk.calls).toEqual([]);
  });

  it.each([
    ["text around the plan", `Sure! ${PLAN}`, "invalid-arguments"],
    ["two plans", PLAN + PLAN, "invalid-arguments"],
    ["a tool that does not exist", PLAN.replace("read", "drop"), "unknown-tool"],
  ])("makes no call for %s", async (_, text, code) => {
    const { ask, desk } = await open();
    expect((await ask({ plan: () => text })).outcome).toMatchObject({ verdict: "block", code });
    expect(desk.calls).toEqual([]);
  });

  it("blocks the query with callback-failed if the planner fails", async () => {
    const { ask } = await open();
    const plan = () => Promise.reject(new Error("no model"));
    expect((await ask({ plan })).outcome).toMatchObject({ code: "callback-failed" });
  });

  it("asks a person, or leaves the call pending", async () => {
    const { ask, desk } = await open();
    const plan = () => PLAN.replace("read", "close");
    const { query, outcome } = await ask({ plan });
    expect(outcome).toMatchObject({ code: "needs-approval" });
    expect((await ask({ plan, approve: () => ({ deny: "no" }) })).outcome.code).toBe("denied");
    expect(desk.calls).toEqual([]);
    expect((await query.resume("approve")).code).toBe("complete");
    expect((await ask({ plan, approve: () => "approve" })).outcome.code).toBe("complete");
    expect(desk.calls).toEqual(["close", "close"]);
  });

  it.each([
    ["that is not typed", { title: 7 }, [], "untyped-output"],
    [
      "that is for the user alone",
      { title: "x" },
      [{ type: "text", text: "x", annotations: { audience: ["user"] } }],
      "complete",
    ],
  ])("lets no model read a result %s", async (_, value, content, code) => {
    const { ask } = await open(value, content);
    let isAsked = false;
    const summarize = () => {
      isAsked = true;
    };
    const answer = await ask({ summarize });
    expect(answer.outcome).toMatchObject({ code });
    expect(answer.summary).toBeUndefined();
    expect(isAsked).toBe(false);
  });

  it("rejects what a summary invents, and continues without one that is invalid", async () => {
    const { ask } = await open();
    const bullets = [{ claim: "It failed 3 times.", evidence }];
    const invented = await ask({ summarize: () => JSON.stringify({ type: "summary", bullets }) });
    expect(invented.summary).toMatchObject({ grounded: false, summary: { bullets: [] } });
    const broken = await ask({ summarize: () => "It failed." });
    expect(broken.summary?.problem).toContain("No summary was made");
    expect(broken.outcome.code).toBe("complete");
  });
});
