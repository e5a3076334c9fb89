import * as names from "./names.ts";

const { AI_SDK, AI_SDK_HAND, AI_SDK_PEER, HOST, HOST_CALL, LANGGRAPH, LANGGRAPH_PEER } = names;

type Budgets = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;

const chained = { [AI_SDK]: 2, [LANGGRAPH]: 2, "shown to the user alone": 1 };

/**
 * The most that a figure may be, by group, place and name. A run in which one is exceeded fails. What takes time is
 * compared with something else that takes time in the same run: microseconds alone would tell how busy the machine is.
 */
export const BUDGETS: Budgets = {
  [names.OVER_RAW.memory]: { echo: { [HOST_CALL]: 1.8 }, "100 KB": { [HOST_CALL]: 1.25 } },
  [names.OVER_RAW.stdio]: {
    "1 KB": { [HOST]: 1.8, [AI_SDK]: 2.3, [LANGGRAPH]: 2.8 },
    "100 KB": { [HOST]: 1.35, [AI_SDK]: 1.5, [LANGGRAPH]: 1.75 },
  },
  [names.OVER_PEER.memory]: {
    echo: { [LANGGRAPH_PEER]: 1.5, [AI_SDK_PEER]: 3, [AI_SDK_HAND]: 3 },
    "100 KB": { [LANGGRAPH_PEER]: 1.2, [AI_SDK_PEER]: 1.5, [AI_SDK_HAND]: 1.5 },
    "100 KB, structured too": { [LANGGRAPH_PEER]: 1.2, [AI_SDK_HAND]: 1.5 },
    "1 MB": { [LANGGRAPH_PEER]: 1.2, [AI_SDK_HAND]: 1.5 },
  },
  [names.OVER_PEER.stdio]: {
    "1 KB": { [LANGGRAPH_PEER]: 1.5, [AI_SDK_HAND]: 1.2 },
    "100 KB": { [LANGGRAPH_PEER]: 1.2, [AI_SDK_HAND]: 1.2 },
  },
  [names.STRUCTURED]: { "over callTool": { [HOST]: 2 }, "characters read": { [HOST]: 1.02 } },
  [names.MODEL_CALLS]: {
    "1 call": chained,
    "2 calls": chained,
    "3 calls": chained,
    "4 calls": chained,
    "5 calls": chained,
  },
  [names.PIPE]: { "10 steps": { runPipe: 2 } },
  [names.GRAPH]: { "10 steps": { compilePipe: 1.3 } },
  [names.STAGES]: { "8 items, 4 steps each": { compilePipe: 1.5 } },
  [names.LISTS]: { "1,000 tools": { [HOST]: 0.15, "memory kept": 2 } },
  // Some two milliseconds, whenever a list is read.
  [names.PLAIN_LISTS]: { "1,000 tools": { [AI_SDK]: 3.5, [LANGGRAPH]: 3.5 } },
  // A result stands in its message and in the artifact.
  [names.CHECKPOINT]: { "100 KB": { [LANGGRAPH]: 2.05, "the same, with references": 0.05 } },
  [names.CHECKPOINT_PEER]: {
    "10 KB": { [LANGGRAPH]: 2.05, "the same, with references": 0.3 },
    "100 KB": { [LANGGRAPH]: 2.05, "the same, with references": 0.05 },
    "100 KB, structured too": { [LANGGRAPH]: 1.5, "the same, with references": 0.05 },
  },
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
