import type { McpPort } from "@toolrail/core";
import { callTool, listTools } from "./shop-steps";

/** The shop as a host in a workflow sees it: each request is a step, whose answer is kept and never asked for again. */
export const shopPort: McpPort = {
  list: ({ cursor }, options) =>
    listTools(typeof cursor === "string" ? { cursor } : {}, toLimits(options)),
  call: ({ name, arguments: args, meta }, options) =>
    callTool({ name, arguments: args, ...(meta && { _meta: meta }) }, toLimits(options)),
};

/** Selects the limits. The arguments of a step are plain JSON, without signals and functions. */
const toLimits = ({ timeoutMs, totalTimeoutMs }: Parameters<McpPort["call"]>[1]) => ({
  timeoutMs,
  totalTimeoutMs,
});
