/** What a package of anybody may import of the core. */
const CORE = ["@toolrail/core", "@toolrail/core/adapter", "@toolrail/json"];
/** What only Toolrail's own packages import besides: no promise of versions covers it. */
const SHARED = [...CORE, "@toolrail/core/plugin", "@toolrail/core/internal"];
/** The errors, options and names that all parts of the core use. */
const BASE = ["core", "@toolrail/json"];
const RESULT = [...BASE, "core/result"];
const TYPES = [...RESULT, "core/types"];
const CALL = [...TYPES, "@toolrail/json/schema", "core/call"];
const CHAIN = [...CALL, "core/servers", "core/chain"];
const HOST = [...CHAIN, "core/host"];
const PIPE = [...SHARED, "pipe"];
/** Plugins know the core by its faces alone, and not each other. */
const PLUGIN = [...CORE, "@toolrail/core/plugin", "@toolrail/json/schema"];
const LANGGRAPH = ["@langchain/core", "@langchain/langgraph", "zod"];

/**
 * What each part may import besides itself: other parts, our packages by their entries, and other packages by their names.
 * Nothing else, not even for types. A part is a folder of `src`, or the files beside the folders under the name of the package.
 */
export const FENCES: Readonly<Record<string, readonly string[]>> = {
  json: [],
  "json/schema": ["json", "re2js", "ajv", "ajv-formats/dist/formats.js", "@standard-schema/spec"],

  core: HOST,
  "core/result": BASE,
  "core/types": [...RESULT, "@toolrail/json/schema"],
  "core/call": [...CALL, "@standard-schema/spec"],
  "core/servers": CALL,
  "core/chain": CHAIN,
  "core/host": [...CHAIN, "@standard-schema/spec", "@toolrail/json/validator"],
  "core/connect": [
    ...[...BASE, "core/call", "core/host", "core/servers", "../package.json"],
    ...["#start-program", "@modelcontextprotocol/client", "@modelcontextprotocol/sdk"],
  ],
  "core/contract": [
    ...TYPES,
    ...["@toolrail/json/schema", "@toolrail/json/validator", "core/call"],
  ],

  pipe: [...PIPE, "pipe/spec", "pipe/variables", "pipe/compile", "pipe/run", "pipe/tool"],
  "pipe/spec": PIPE,
  "pipe/variables": [...PIPE, "pipe/spec"],
  "pipe/compile": [...PIPE, "pipe/spec", "pipe/variables"],
  "pipe/run": [...PIPE, "pipe/spec", "pipe/variables", "pipe/compile"],
  "pipe/tool": [...PIPE, "pipe/spec", "pipe/variables", "pipe/compile", "pipe/run"],
  guard: [...SHARED, "@toolrail/json/schema", "@toolrail/json/validator", "guard/summary"],
  "guard/summary": ["@toolrail/json"],

  "ai-sdk": [...CORE, "ai-sdk/chain", "ai-sdk/tools"],
  "ai-sdk/tools": [...SHARED, "@toolrail/json/schema", "ai-sdk"],
  "ai-sdk/pipe": [
    ...SHARED,
    "@toolrail/pipe",
    "@toolrail/pipe/engine",
    "ai-sdk",
    "ai-sdk/tools",
    "ai-sdk/chain",
  ],
  "ai-sdk/chain": [...SHARED, "ai-sdk", "ai-sdk/tools"],
  "ai-sdk/guard": [
    ...CORE,
    "@toolrail/guard",
    "@toolrail/guard/adapter",
    "ai-sdk",
    "ai-sdk/tools",
    "ai-sdk/chain",
  ],

  langgraph: [...CORE, ...LANGGRAPH, "langgraph/chain", "langgraph/tools"],
  "langgraph/tools": [...SHARED, "@toolrail/json/schema", ...LANGGRAPH, "langgraph"],
  "langgraph/chain": [...SHARED, ...LANGGRAPH, "langgraph", "langgraph/tools"],
  "langgraph/pipe": [
    ...SHARED,
    ...LANGGRAPH,
    "@toolrail/pipe",
    "@toolrail/pipe/engine",
    "langgraph",
    "langgraph/tools",
  ],
  "langgraph/guard": [
    ...SHARED,
    ...LANGGRAPH,
    "@toolrail/guard",
    "@toolrail/guard/adapter",
    "langgraph",
    "langgraph/tools",
    "langgraph/chain",
  ],

  "plugins/once": PLUGIN,
  "plugins/otel": [...PLUGIN, "@opentelemetry/api"],
  "plugins/postgres": CORE,
  "plugins/rules": [...PLUGIN, "@toolrail/json/schema"],
  "plugins/references": PLUGIN,

  // The model of a further adapter: the public entries alone.
  "openai-agents": [
    "@toolrail/core",
    "@toolrail/core/adapter",
    "@toolrail/json/schema",
    "@openai/agents",
  ],
  server: [...SHARED, "@toolrail/json/validator"],
  "server/pipe": [...SHARED, "@toolrail/pipe", "@toolrail/pipe/engine", "server"],

  cli: [
    ...SHARED,
    ...["@toolrail/core/connect", "@toolrail/core/contract", "@toolrail/guard"],
    ...["@toolrail/json/schema", "@toolrail/json/validator", "@toolrail/langgraph/pipe"],
    ...["@toolrail/pipe", "@toolrail/pipe/engine", "@toolrail/plugins/references"],
    ...["node:*", "../package.json", "picocolors", "shell-quote", "tokenx"],
  ],

  conformance: [
    ...CORE,
    "@toolrail/guard",
    "@toolrail/pipe",
    "conformance/checks",
    "conformance/requirements",
    "node:*",
  ],
  "conformance/checks": [...[...CORE, "@toolrail/plugins/rules"], ...["conformance", "node:*"]],
  "conformance/requirements": ["conformance"],
};
