import { expect } from "vitest";
import type { TestTool } from "../../../packages/core/test/servers.ts";
import type { Check } from "../harness.ts";
import { openScenario } from "../scenario.ts";
import { echo, group, nested, say } from "./pipe-parts.ts";

/** Answers with data, and with a text that has an audience. */
function answering(audience: string[], data: object): TestTool {
  const annotations = { audience };
  return {
    answer: () => ({
      content: [{ type: "text", text: "TEXT-7731", annotations }],
      structuredContent: data,
      _meta: { token: "META-7731" },
    }),
  };
}

const HIDDEN = "(for the user alone)";
const account = answering(["user"], { iban: "IBAN-7731", limits: [5, { day: 7731 }] });
const lookUp = (id: string) => ({ id, tool: "account" });
const ref = (path: string) => ({ $ref: path });

/** What of a pipe a model may not read, and the application may. */
export const pipeAudienceChecks = {
  "pipe/user-alone": async (run) => {
    const inner = {
      vars: { outer: ref("steps.a.structured.limits") },
      steps: [lookUp("x")],
      return: { own: ref("last.structured"), outer: `\${vars.outer}` },
    };
    const returned = {
      direct: ref("steps.a.structured.iban"),
      deep: ref("steps.a.structured.limits.1.day"),
      text: `IBAN: \${steps.a.structured.iban}, \${steps.a.structured}`,
      step: ref("steps.a"),
      child: ref("steps.g.children.b.structured.iban"),
      group: ref("steps.g"),
      nested: ref("steps.n.result"),
      inside: ref("steps.n.steps.x.structured"),
      all: ref("steps"),
      fine: ref("steps.c.structured.v"),
    };
    const { host } = await openScenario({ web: { account, echo } });
    const steps = [lookUp("a"), group("g", lookUp("b")), nested("n", inner), say("c", "public")];
    const { result, modelRead } = await run({ host, spec: { steps, return: returned } });
    expect(result).toMatchObject({
      ok: true,
      result: {
        direct: "IBAN-7731",
        deep: 7731,
        text: expect.stringContaining("IBAN: IBAN-7731, {"),
        nested: { own: { iban: "IBAN-7731" }, outer: '[5,{"day":7731}]' },
      },
      result_for_model: {
        direct: HIDDEN,
        deep: HIDDEN,
        text: `IBAN: ${HIDDEN}, ${HIDDEN}`,
        child: HIDDEN,
        nested: { own: HIDDEN, outer: HIDDEN },
        inside: HIDDEN,
        fine: "public",
      },
    });
    expect(JSON.stringify(result.result_for_model)).not.toContain("7731");
    expect(JSON.stringify(modelRead ?? [])).not.toContain("7731");
    if (modelRead) expect(JSON.stringify(modelRead)).toContain("public");
  },

  "pipe/last-for-user": async (run) => {
    for (const steps of [
      [lookUp("a")],
      [group("g", lookUp("a"))],
      [nested("n", { steps: [lookUp("a")] })],
    ]) {
      const { host } = await openScenario({ web: { account } });
      const { result, modelRead } = await run({ host, spec: { steps } });
      expect(JSON.stringify(result.result)).toContain("IBAN-7731");
      expect(JSON.stringify(result.result_for_model)).toContain(HIDDEN);
      expect(JSON.stringify(modelRead ?? [])).not.toContain("7731");
    }
  },

  "pipe/handed-on": async (run) => {
    const { host, servers } = await openScenario({ web: { account, echo } });
    const steps = [lookUp("a"), say("b", ref("steps.a.structured.iban"))];
    const { result } = await run({ host, spec: { steps, return: ref("steps.b.structured.v") } });
    expect(servers.web.seen[1]?.arguments).toEqual({ v: "IBAN-7731" });
    expect(result).toMatchObject({ ok: true, result: "IBAN-7731" });
    expect(result.result_for_model).toBeUndefined();
  },

  "pipe/for-both": async (run) => {
    const shared = answering(["user", "assistant"], { iban: "IBAN-1" });
    const { host } = await openScenario({ web: { shared } });
    const spec = { steps: [{ id: "a", tool: "shared" }], return: ref("last.structured.iban") };
    const { result, modelRead } = await run({ host, spec });
    expect(result.result).toBe("IBAN-1");
    expect(result.result_for_model).toBeUndefined();
    if (modelRead) expect(JSON.stringify(modelRead)).toContain("IBAN-1");
  },

  "pipe/no-raw-results": async (run) => {
    const both = answering(["user", "assistant"], { v: 1 });
    const { host, servers } = await openScenario({ web: { both, echo } });
    const inner = {
      vars: { s: ref("steps.a") },
      steps: [say("x", ref("vars.s"))],
      return: ref("vars.s"),
    };
    const steps = [{ id: "a", tool: "both" }, say("b", ref("last")), nested("n", inner)];
    const { result } = await run({ host, spec: { steps, return: ref("steps") } });
    const passedOn = servers.web.seen.slice(1).map((call) => call.arguments.v);
    for (const step of passedOn) {
      expect(step).toMatchObject({
        id: "a",
        kind: "tool",
        structured: { v: 1 },
        text: "TEXT-7731",
      });
    }
    expect(passedOn).toHaveLength(2);
    expect(JSON.stringify([passedOn, result.result])).not.toMatch(/META-7731|"hops"/);
    expect(result.steps).toMatchObject({ a: { hops: [{ result: { _meta: {} } }] } });
  },
} satisfies Record<string, Check<"pipe">>;
