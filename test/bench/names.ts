/** Who is measured: the same names in rows, budgets and figures. */
export const HOST_CALL = "host.call";
export const HOST = "host";
export const AI_SDK = "tool of the AI SDK";
export const LANGGRAPH = "tool of LangGraph";
export const MCP_ADAPTERS = "@langchain/mcp-adapters";
export const AI_SDK_MCP = "@ai-sdk/mcp";
export const BY_HAND = "tool() by hand";
/** Who is compared with what one would use instead. */
export const LANGGRAPH_PEER = `LangGraph over ${MCP_ADAPTERS}`;
export const AI_SDK_PEER = `AI SDK over ${AI_SDK_MCP}`;
export const AI_SDK_HAND = `AI SDK over ${BY_HAND}`;

/** What is measured: the groups of rows. */
export const OVER_RAW = {
  memory: "One call in memory, over the SDK's callTool",
  stdio: "One call over stdio, over the SDK's callTool",
  HTTP: "One call over HTTP, over the SDK's callTool",
} as const;
export const OVER_PEER = {
  memory: "One call in memory, over what one would use instead",
  stdio: "One call over stdio, over what one would use instead",
  HTTP: "One call over HTTP, over what one would use instead",
} as const;
export const STRUCTURED = "1,000 records of structured content, 100 KB, in memory";
export const CHAIN_TIME = "A chain over stdio, over the same calls by hand";
export const MODEL_CALLS = "Model calls of a chain";
export const PIPE = "A pipe in memory, over awaits by hand";
export const GRAPH = "A pipe as a graph of LangGraph, over the same graph by hand";
export const STAGES = "A pipe as a graph of LangGraph whose steps take their time, over runPipe";
export const LISTS = "Listing tools with output schemas, over the SDK's listTools";
export const PLAIN_LISTS = "Listing tools without output schemas, over the SDK's listTools";
export const CHECKPOINT = "Bytes that a text adds to a checkpoint of LangGraph, over its own";
export const CHECKPOINT_PEER = `Bytes that a text adds to a checkpoint of LangGraph, over those with ${MCP_ADAPTERS}`;
export const TOKENS = "Tokens, all prompts and answers: a page through three tools";
export const START = "Starting the toolrail command, over loading the SDK's client";
