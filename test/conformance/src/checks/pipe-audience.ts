import { deepEqual, doesNotMatch, equal } from "node:assert/strict";
import { contains, lacks, matches, reported } from "../assertions.ts";
import type { MemoryTool } from "../memory-server.ts";
import type { Checks } from "../scenario.ts";
import { echo, group, nested, step } from "./results.ts";

/** Answers with data, and with a text for an audience. */
function answering(audience: string[], data: object): MemoryTool {
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

const inner = {
  vars: { outer: ref("steps.a.structured.limits") },
  steps: [lookUp("x")],
  return: { own: ref("last.structured"), outer: `\${vars.outer}` },
};

/** A pipe that returns content for the user alone by every possible path, and one public value. */
const revealing = {
  steps: [lookUp("a"), group("g", lookUp("b")), nested("n", inner), step("c", "public")],
  return: {
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
  },
};

/** Pipes without `return`, whose last step answers for the user alone. */
const ENDINGS = [
  [lookUp("a")],
  [group("g", lookUp("a"))],
  [nested("n", { steps: [lookUp("a")] })],
] as const;

/** Checks of the parts of a pipe that a model may not read and the application may. */
export const pipeAudienceChecks = {
  "pipe/user-alone": async (run, open) => {
    const { host } = await open({ web: { account, echo } });
    const { result } = await run({ host, spec: revealing });
    matches(result, {
      ok: true,
      result: {
        direct: "IBAN-7731",
        deep: 7731,
        text: /IBAN: IBAN-7731, \{/,
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
    lacks(JSON.stringify(result.result_for_model), "7731");
  },

  "pipe/last-for-user": async (run, open) => {
    for (const steps of ENDINGS) {
      const { host } = await open({ web: { account } });
      const { result } = await run({ host, spec: { steps } });
      contains(JSON.stringify(result.result), "IBAN-7731");
      contains(JSON.stringify(result.result_for_model), HIDDEN);
    }
  },

  "pipe/model-hidden": async (run, open) => {
    for (const spec of [revealing, ...ENDINGS.map((steps) => ({ steps }))]) {
      const { host } = await open({ web: { account, echo } });
      const { modelRead } = await run({ host, spec });
      const read = JSON.stringify(reported(modelRead, "modelRead"));
      lacks(read, "7731");
      contains(read, HIDDEN);
    }
  },

  "pipe/model-shown": async (run, open) => {
    const shared = answering(["user", "assistant"], { iban: "IBAN-1" });
    const { host } = await open({ web: { shared } });
    const spec = { steps: [{ id: "a", tool: "shared" }], return: ref("last.structured.iban") };
    const { modelRead } = await run({ host, spec });
    contains(JSON.stringify(reported(modelRead, "modelRead")), "IBAN-1");
  },

  "pipe/handed-on": async (run, open) => {
    const { host, servers } = await open({ web: { account, echo } });
    const steps = [lookUp("a"), step("b", ref("steps.a.structured.iban"))];
    const { result } = await run({ host, spec: { steps, return: ref("steps.b.structured.v") } });
    deepEqual(servers.web.seen[1]?.arguments, { v: "IBAN-7731" });
    matches(result, { ok: true, result: "IBAN-7731" });
  },

  "pipe/for-both": async (run, open) => {
    const shared = answering(["user", "assistant"], { iban: "IBAN-1" });
    const { host } = await open({ web: { shared } });
    const spec = { steps: [{ id: "a", tool: "shared" }], return: ref("last.structured.iban") };
    const { result } = await run({ host, spec });
    equal(result.result, "IBAN-1");
    equal(result.result_for_model, undefined);
  },

  "pipe/no-raw-results": async (run, open) => {
    const both = answering(["user", "assistant"], { v: 1 });
    const { host, servers } = await open({ web: { both, echo } });
    const inner = {
      vars: { s: ref("steps.a") },
      steps: [step("x", ref("vars.s"))],
      return: ref("vars.s"),
    };
    const steps = [{ id: "a", tool: "both" }, step("b", ref("last")), nested("n", inner)];
    const { result } = await run({ host, spec: { steps, return: ref("steps") } });
    const passedOn = servers.web.seen.slice(1).map((call) => call.arguments.v);
    for (const value of passedOn) {
      matches(value, {
        id: "a",
        kind: "tool",
        structured: { v: 1 },
        text: "TEXT-7731",
      });
    }
    equal(passedOn.length, 2);
    doesNotMatch(JSON.stringify([passedOn, result.result]), /META-7731|"hops"/);
    matches(result.steps, { a: { hops: [{ result: { _meta: {} } }] } });
  },
} satisfies Checks<"pipe">;
