import { MemorySaver } from "@langchain/langgraph";
import fc from "fast-check";
import { majorNamed } from "../../../packages/ai-sdk/test/majors.ts";
import { crashPlans } from "../graph/crash.ts";
import { count, define, type Tally } from "../property.ts";
import { checkLedger, checkShown } from "../world/check-ledger.ts";
import { abortedChains } from "./aborted.ts";
import { askedAgain, type ChainCase, type ChainsEnd, chainCases } from "./chain-case.ts";
import { compareReading, compareWithPlan } from "./compare-chains.ts";
import { foresee } from "./foresee.ts";
import { chainInAGraph } from "./in-a-graph.ts";
import { chainInOpenAiAgents } from "./in-openai-agents.ts";
import { chainInTheCore } from "./in-the-core.ts";
import { chainInCalls, chainInSteps } from "./in-the-sdk.ts";

interface Given {
  readonly given: ChainCase;
}

const kinds = fc.constantFrom("inside", "middleware", "node");
/** Inside one call of a tool nobody can be asked about a later call. */
const canHold = ({ given, kind }: Given & { readonly kind: string }) =>
  kind !== "inside" || !given.starts.some((start) => foresee(given.world, start).asksLater);
const majorNames = fc.constantFrom("ai 7", "ai 6");
const pauses = { answering: fc.constantFrom("all", "first"), answersTwice: fc.boolean() } as const;

/** Chains that come to the same in another place as in the core. */
function asInTheCore<Input extends Given>(property: {
  readonly name: string;
  readonly input: fc.Arbitrary<Input>;
  run(input: Input): Promise<ChainsEnd>;
}) {
  return define({
    ...property,
    async check(input: Input, tally) {
      const { given } = input;
      const expected = await chainInTheCore(given);
      const actual = await property.run(input);
      checkEnds(given, [expected, actual], tally);
      compareReading(actual, expected);
    },
  });
}

/** What must hold for any chains in any world. */
export const chainProperties = [
  define({
    name: "A chain of the core makes the calls that its results ask for, and no others.",
    input: chainCases,
    async check(given, tally) {
      const [first, second] = [await chainInTheCore(given), await chainInTheCore(given)];
      checkEnds(given, [first, second], tally);
      compareReading(second, first);
    },
  }),
  asInTheCore({
    name: "Chains in a graph come to the same as in the core, in every kind of graph.",
    input: fc.record({ given: chainCases, kind: kinds, ...pauses }).filter(canHold),
    run: ({ given, kind, ...run }) => chainInAGraph(given, kind, run),
  }),
  asInTheCore({
    name: "Chains in a graph that loses its process come to the same, and repeat no finished call.",
    input: fc
      .record({ given: chainCases, kind: kinds, ...pauses, crashes: crashPlans })
      .filter(canHold),
    run: ({ given, kind, ...run }) => chainInAGraph(given, kind, run),
  }),
  asInTheCore({
    name: "Chains whose hops are steps of the AI SDK come to the same as in the core.",
    input: fc.record({ given: chainCases, major: majorNames }),
    run: ({ given, major }) => chainInSteps(given, majorNamed(major)),
  }),
  asInTheCore({
    name: "Chains inside calls of the AI SDK come to the same, when the application has resumed them.",
    input: fc.record({ given: chainCases, major: majorNames }),
    run: ({ given, major }) => chainInCalls(given, majorNamed(major)),
  }),
  asInTheCore({
    name: "Chains inside calls of the OpenAI Agents SDK come to the same in that way, too.",
    input: fc.record({ given: chainCases }),
    run: ({ given }) => chainInOpenAiAgents(given),
  }),
  define({
    name: "A second question on the same thread, whose calls have the same ids, is answered afresh.",
    // The `ToolNode` of a graph built by hand passes over a call whose id has a result already.
    input: fc.record({
      given: chainCases,
      ...pauses,
    }),
    async check({ given, ...run }, tally) {
      const shared = new MemorySaver();
      const again = askedAgain(given);
      const first = await chainInAGraph(given, "middleware", { ...run, shared });
      const second = await chainInAGraph(again, "middleware", { ...run, shared });
      const expected = await chainInTheCore(again);
      checkEnds(given, [first], tally);
      checkEnds(again, [second, expected], tally);
      compareReading(second, expected);
    },
  }),
  abortedChains,
];

/** What no chain may do, wherever it runs. */
function checkEnds(given: ChainCase, ends: readonly ChainsEnd[], tally: Tally): void {
  count(tally, { turns: 1, chains: given.starts.length });
  for (const end of ends) {
    const { ledger, prompts } = end;
    checkLedger(given.world, ledger);
    checkShown(prompts);
    compareWithPlan(given, end);
    count(tally, {
      runs: 1,
      calls: ledger.calls.length,
      crashes: ledger.crashes,
      resumes: ledger.resumes,
      approved: ledger.approved.length,
      rejected: ledger.rejected.length,
    });
  }
}
