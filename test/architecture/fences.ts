/** What lies at the bottom of the core: errors, options and names, and the values of JSON. */
const BASE = ["core", "core/json"];
const RESULT = [...BASE, "core/result"];
const CALL = [...RESULT, "core/call"];
const CHAIN = [...CALL, "core/servers", "core/chain"];
const HOST = [...CHAIN, "core/host"];
/** What stands on a host and uses it as an application does, with the names of the adapter face. */
const ON_TOP = HOST;
const CORE = ["@toolrail/core", "@toolrail/core/adapter", "@toolrail/core/json"];
const LANGGRAPH = ["@langchain/core", "@langchain/langgraph", "zod"];

/**
 * What each part may import besides itself: other parts, our entries, and other packages by their names. Nothing else, not even for
 * types. A part is a folder of `src`, or the files beside the folders under the name of the package.
 */
export const FENCES: Readonly<Record<string, readonly string[]>> = {
  core: HOST,
  "core/json": ["core", "@noble/hashes", "re2js", "ajv", "zod"],
  "core/result": [...BASE, "zod"],
  "core/call": [...CALL, "@standard-schema/spec", "zod"],
  "core/servers": [...CALL, "zod"],
  "core/chain": [...CHAIN, "zod"],
  "core/host": [...HOST, "@standard-schema/spec"],
  "core/connect": [
    ...["core", "core/json", "core/call", "core/host", "core/servers", "../package.json", "zod"],
    ...["@modelcontextprotocol/client", "@modelcontextprotocol/sdk"],
  ],
  "core/contract": CALL,
  "core/pipe": [...ON_TOP, "zod"],
  "core/guard": [...ON_TOP, "zod"],
  "core/rules": [...ON_TOP, "zod"],
  "core/references": ON_TOP,
  "core/otel": [...ON_TOP, "@opentelemetry/api"],
  "core/postgres": ON_TOP,

  "ai-sdk": [...CORE, "ai-sdk/chain", "ai-sdk/tools"],
  "ai-sdk/tools": [...CORE, "ai-sdk"],
  "ai-sdk/chain": [...CORE, "ai-sdk", "ai-sdk/tools"],
  "ai-sdk/pipe": [...CORE, "@toolrail/core/pipe", "ai-sdk", "ai-sdk/tools", "ai-sdk/chain"],
  "ai-sdk/guard": [...CORE, "@toolrail/core/guard", "ai-sdk", "ai-sdk/tools", "ai-sdk/chain"],

  langgraph: [...CORE, ...LANGGRAPH, "langgraph/chain", "langgraph/tools"],
  "langgraph/tools": [...CORE, ...LANGGRAPH, "langgraph"],
  "langgraph/chain": [...CORE, ...LANGGRAPH, "langgraph", "langgraph/tools"],
  "langgraph/pipe": [
    ...[...CORE, ...LANGGRAPH, "@toolrail/core/pipe"],
    ...["langgraph", "langgraph/tools"],
  ],
  "langgraph/guard": [
    ...[...CORE, ...LANGGRAPH, "@toolrail/core/guard"],
    ...["langgraph", "langgraph/tools", "langgraph/chain"],
  ],

  server: [...CORE, "@toolrail/core/pipe"],
  cli: [
    ...[...CORE, "@toolrail/core/connect", "@toolrail/core/contract", "@toolrail/core/guard"],
    ...["@toolrail/core/pipe", "@toolrail/core/references", "@toolrail/langgraph/pipe"],
    ...["node:*", "../package.json", "picocolors", "shell-quote", "tokenx"],
  ],
};
