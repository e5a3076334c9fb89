import { createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";

/** The entries whose functions an application or an adapter calls. Only Toolrail uses `./json`. */
const FACES: Readonly<Record<string, () => Promise<object>>> = {
  "@toolrail/core": () => import("@toolrail/core"),
  "@toolrail/core/adapter": () => import("@toolrail/core/adapter"),
  "@toolrail/core/connect": () => import("@toolrail/core/connect"),
  "@toolrail/core/contract": () => import("@toolrail/core/contract"),
  "@toolrail/core/guard": () => import("@toolrail/core/guard"),
  "@toolrail/core/otel": () => import("@toolrail/core/otel"),
  "@toolrail/core/pipe": () => import("@toolrail/core/pipe"),
  "@toolrail/core/postgres": () => import("@toolrail/core/postgres"),
  "@toolrail/core/references": () => import("@toolrail/core/references"),
  "@toolrail/core/rules": () => import("@toolrail/core/rules"),
  "@toolrail/ai-sdk": () => import("@toolrail/ai-sdk"),
  "@toolrail/ai-sdk/guard": () => import("@toolrail/ai-sdk/guard"),
  "@toolrail/ai-sdk/page": () => import("@toolrail/ai-sdk/page"),
  "@toolrail/ai-sdk/pipe": () => import("@toolrail/ai-sdk/pipe"),
  "@toolrail/langgraph": () => import("@toolrail/langgraph"),
  "@toolrail/langgraph/guard": () => import("@toolrail/langgraph/guard"),
  "@toolrail/langgraph/pipe": () => import("@toolrail/langgraph/pipe"),
  "@toolrail/server": () => import("@toolrail/server"),
  "@toolrail/server/pipe": () => import("@toolrail/server/pipe"),
};

/** The parts of a guard, a pipe and a chain that get values of Toolrail alone, from its other functions. */
const FOR_ADAPTERS = new Set([
  ...["allForUser", "approvalText", "isUnread", "labelCalls", "modelNameOf", "partText"],
  ...["pendingHopProblem", "toHopSummary", "toolId", "withOwnSignal"],
  ...["createOptionCheck", "invalidOptions", "nearestName"],
  ...[
    "guardTurn",
    "isMade",
    "keepOutcome",
    "keepResult",
    "outcomeText",
    "outcomeView",
    "toBlocked",
  ],
  ...["advancePipe", "answerPipe", "createPipeRun", "innerResults", "reportPipe"],
  ...["toPipeOutput", "toPipeReply", "ToolrailError"],
]);

const host = await createHost({
  servers: { shop: { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) } },
});

const WRONG: readonly (readonly unknown[])[] = [
  [],
  [null],
  ["text"],
  [{}],
  [null, null],
  [{}, null],
  [{}, {}],
  ["text", "text"],
  [host],
  [host, null],
  [host, "text"],
  [host, []],
  [host, { agent: {} }],
  [host, null, null],
  [host, {}],
  [host, {}, {}],
  [1, 1],
  [[], []],
];

/** Calls a function, and returns its error unless it is one of ours, with a code and a sentence. */
async function rawErrorOf(call: (...given: unknown[]) => unknown, given: readonly unknown[]) {
  try {
    await call(...given);
    return undefined;
  } catch (error) {
    const { name, code, message } = Object(error);
    const isOurs = typeof code === "string" && /^(Toolrail|Json)Error$/.test(name);
    return isOurs && message.length > 15 ? undefined : `${name}: ${message}`;
  }
}

describe.each(Object.keys(FACES))("%s", async (face) => {
  const exported = Object.entries((await FACES[face]?.()) ?? {}).filter(
    ([name, value]) => typeof value === "function" && !FOR_ADAPTERS.has(name),
  );
  it.each(exported)(
    "%s works or throws an error of ours if it is called wrongly",
    async (_, call) => {
      for (const given of WRONG) {
        expect(await rawErrorOf(call, given)).toBeUndefined();
      }
    },
  );
});
