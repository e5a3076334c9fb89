import type { CompareOptions } from "../compare.ts";
import * as names from "../names.ts";
import type { Row } from "../row.ts";
import { measureChainTime } from "./chain-time.ts";
import { measureCheckpoints } from "./checkpoints.ts";
import { measureCommandStart } from "./command-start.ts";
import { measureGraphs } from "./graphs.ts";
import { measureModelCalls } from "./model-calls.ts";
import { measurePipes } from "./pipes.ts";
import { measureSizes } from "./sizes.ts";
import { measureStages } from "./stages.ts";
import { measureStructured } from "./structured.ts";
import { measureTokens } from "./tokens.ts";
import { measureToolLists } from "./tool-lists.ts";

/** What is measured, in order, by the names of the groups. */
export const GROUPS: Readonly<
  Record<string, (options: CompareOptions) => Promise<readonly Row[]>>
> = {
  [names.OVER_RAW.memory]: (options) => measureSizes("memory", options),
  [names.OVER_RAW.stdio]: (options) => measureSizes("stdio", options),
  [names.OVER_RAW.HTTP]: (options) => measureSizes("HTTP", options),
  [names.STRUCTURED]: measureStructured,
  [names.CHAIN_TIME]: measureChainTime,
  [names.MODEL_CALLS]: measureModelCalls,
  [names.PIPE]: measurePipes,
  [names.GRAPH]: measureGraphs,
  [names.STAGES]: measureStages,
  [names.LISTS]: (options) => measureToolLists(names.LISTS, options),
  [names.PLAIN_LISTS]: (options) => measureToolLists(names.PLAIN_LISTS, options),
  [names.CHECKPOINT]: measureCheckpoints,
  [names.TOKENS]: measureTokens,
  [names.START]: measureCommandStart,
};
