/** The single-step guard of a host for LangChain's `createAgent` and LangGraph.js. @module */

export { createSingleStepGraph, type SingleStepGraphOptions } from "./single-step-graph.ts";
export {
  outcomeOf,
  type SingleStepMiddleware,
  singleStepMiddleware,
} from "./single-step-middleware.ts";
