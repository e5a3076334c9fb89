import { expect, onTestFinished, test } from "vitest";
import { type Rule, startOfflineModel } from "../../../examples/offline-model/src/index.ts";
import { carryRules } from "../../../examples/research-pipe/src/carry/carry-rules.ts";
import { type RealOptions, runStories } from "./run-stories.ts";
import { STORIES } from "./stories.ts";

/** A rule of a model that makes no mistakes. */
const check: Rule = ({ tools, toolResultsSinceUser: results }) => {
  if (!tools.some(({ name }) => name.endsWith("check_order"))) return undefined;
  const [first] = results;
  if (first) return { text: `It is late. The ticket is ${/T-\d/.exec(first.text)}.` };
  return { toolCalls: [{ name: "check_order", arguments: { order: 7 } }] };
};
async function run(rules: readonly Rule[], more: Partial<RealOptions> = {}) {
  const model = await startOfflineModel({ rules });
  onTestFinished(model.close);
  const lines: string[] = [];
  const isRun = await runStories({
    env: { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "fake" },
    confirm: async () => true,
    print: (line) => void lines.push(line),
    ...more,
  });
  return { isRun, text: lines.join("\n"), calls: model.calls };
}

/** The model calls and tokens of all findings, as they are printed. */
function spent(text: string) {
  const found = [...text.matchAll(/; (\d+) model calls, ([\d,]+) tokens/g)];
  const sum = (at: 1 | 2) => {
    return found.reduce((all, match) => all + Number(match[at]?.replaceAll(",", "")), 0);
  };
  return { modelCalls: sum(1), tokens: sum(2) };
}

test("Nothing is sent before the reader has seen what it costs and said yes.", async () => {
  const confirm = async () => false;
  const { isRun, text, calls } = await run([check], { confirm, price: 2, runs: 2 });
  expect(isRun).toBe(false);
  expect(calls).toEqual([]);
  expect(text).toMatch(/hops +24 model calls +16,000 tokens/);
  expect(text).toContain("together about 198,000 tokens, $0.40");
});

test.each([
  ["hops", [check], ["each result after its tool's name: tickets opened: 1 (1 is right)"]],
  ["references", carryRules, ["relayed: saved whole", "by reference: saved whole"]],
] as const)(
  "The story of %s runs on a server of the OpenAI form, within its estimate.",
  async (name, rules, says) => {
    const { text } = await run(rules, { only: [name] });
    for (const line of says) expect(text).toContain(line);
    const { modelCalls, tokens } = spent(text);
    expect(tokens).toBeGreaterThan(0);
    expect(modelCalls).toBeLessThanOrEqual(STORIES[name]?.estimate.modelCalls ?? 0);
    expect(tokens).toBeLessThanOrEqual(STORIES[name]?.estimate.tokens ?? 0);
  },
);

test("A server that refuses is named, and the other stories continue.", async () => {
  const env = { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "fake" };
  const { text } = await run([], { env, only: ["hops"] });
  expect(text).toMatch(/failed: .*(connect|fetch|refused)/i);
});

test.each([
  [{}, /Set OPENAI_API_KEY, or OPENAI_BASE_URL/],
  [{ OPENAI_API_KEY: "k" }, /Set OPENAI_MODEL/],
  [{ OPENAI_BASE_URL: "local", OPENAI_MODEL: "m" }, /which is not a URL/],
])("Without an endpoint it says in one sentence what to set (%j).", async (env, message) => {
  await expect(run([], { env })).rejects.toThrow(message);
});
