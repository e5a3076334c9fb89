import * as names from "./names.ts";

const { AI_SDK, HOST, LANGGRAPH } = names;

type Budgets = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;

const chained = { [AI_SDK]: 2, [LANGGRAPH]: 2, "shown to the user alone": 1 };
/** A server on the same machine answers in some thirty microseconds, so that few of them are many percent. */
const near = {
  "1 KB": { [HOST]: 1.3, [AI_SDK]: 1.5, [LANGGRAPH]: 2 },
  "100 KB": { [HOST]: 1.3, [AI_SDK]: 1.35, [LANGGRAPH]: 1.6 },
};

/** The most that a median may be, by group, place and name. A run in which one is exceeded fails. */
export const BUDGETS: Budgets = {
  [names.ADDED]: {
    "small result": {
      "callTool with the host's options": 1.5,
      "host.call": 3.8,
      [HOST]: 6.3,
      [AI_SDK]: 9.5, // With what its model reads.
      [LANGGRAPH]: 14.5,
    },
  },
  [names.OVER_RAW.stdio]: near,
  [names.STRUCTURED]: { "over callTool": { [HOST]: 2 }, "characters read": { [HOST]: 1.02 } },
  [names.MODEL_CALLS]: {
    "1 call": chained,
    "2 calls": chained,
    "3 calls": chained,
    "4 calls": chained,
    "5 calls": chained,
  },
  [names.PIPE]: { "10 steps": { runPipe: 1.4 }, "a step": { "engine alone": 3 } },
  [names.GRAPH]: { "10 steps": { compilePipe: 1.3 } },
  [names.LISTS]: { "1,000 tools": { [HOST]: 0.15, "memory kept": 2 } },
  [names.CHECKPOINT]: { "100 KB": { [LANGGRAPH]: 1.1, "the same, with references": 0.02 } },
  [names.TOKENS]: {
    "100 KB": {
      "AI SDK, as a pipe": 1_200,
      "LangGraph, as a pipe": 1_200,
      "AI SDK, by reference": 3_000,
      "LangGraph, by reference": 3_000,
    },
  },
  [names.START]: { "--help": { toolrail: 1.5 }, "a call, up to its server": { toolrail: 1.5 } },
};
