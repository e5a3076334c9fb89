/** The base of the core: errors, JSON, hashes, texts, paths. */
const BASE = ["core"];
const CORE = ["@toolrail/core", "@toolrail/core/adapter"];
const SCHEMA = [...BASE, "core/schema"];
const RESULT = [...BASE, "core/result"];
const CALL = [...RESULT, "core/schema", "core/reference", "core/call"];
const CHAIN = [...CALL, "core/expression", "core/servers", "core/chain"];
const HOST = [...CHAIN, "core/host"];
const LANGGRAPH = ["@langchain/core", "@langchain/langgraph", "zod"];

/**
 * What each part may import besides itself: other parts, our packages by their entries, and other packages by their names.
 * Nothing else, not even for types. A part is a folder of `src`, or the files beside the folders under the name of the package.
 */
export const FENCES: Readonly<Record<string, readonly string[]>> = {
  core: [...HOST, "#validator"],
  "core/schema": [
    ...BASE,
    "#validator",
    "ajv",
    "re2js",
    "@cfworker/json-schema",
    "@standard-schema/spec",
  ],
  "core/expression": [...SCHEMA, "#validator"],
  "core/result": BASE,
  "core/reference": RESULT,
  "core/call": [...CALL, "@standard-schema/spec"],
  "core/servers": CALL,
  "core/chain": CHAIN,
  "core/host": [...CHAIN, "#validator", "@standard-schema/spec"],
  "core/connect": [
    ...[...BASE, "core/call", "core/host", "core/servers", "../package.json"],
    ...["@modelcontextprotocol/client", "@modelcontextprotocol/sdk"],
  ],
  "core/contract": [...SCHEMA, "core/call", "#validator"],
  "core/source": [...BASE, "core/call"],
  "core/otel": [...HOST, "@opentelemetry/api"],
  "core/pipe": [...HOST, "zod/mini"],
  "core/guard": [...HOST, "core/contract", "core/pipe", "#validator"],

  "ai-sdk": [...CORE, "ai-sdk/chain", "ai-sdk/guard", "ai-sdk/pipe", "ai-sdk/tools"],
  "ai-sdk/tools": [...CORE, "ai-sdk"],
  "ai-sdk/pipe": [...CORE, "@toolrail/core/pipe", "ai-sdk", "ai-sdk/tools"],
  "ai-sdk/chain": [...CORE, "@toolrail/core/pipe", "ai-sdk", "ai-sdk/tools", "ai-sdk/pipe"],
  "ai-sdk/guard": [...CORE, "@toolrail/core/guard", "ai-sdk", "ai-sdk/tools", "ai-sdk/chain"],

  langgraph: [
    ...CORE,
    ...LANGGRAPH,
    "langgraph/chain",
    "langgraph/guard",
    "langgraph/pipe",
    "langgraph/tools",
  ],
  "langgraph/tools": [...CORE, ...LANGGRAPH, "langgraph"],
  "langgraph/chain": [...CORE, ...LANGGRAPH, "langgraph", "langgraph/tools"],
  "langgraph/pipe": [...CORE, ...LANGGRAPH, "@toolrail/core/pipe", "langgraph", "langgraph/tools"],
  "langgraph/guard": [
    ...CORE,
    ...LANGGRAPH,
    "@toolrail/core/guard",
    "langgraph",
    "langgraph/tools",
    "langgraph/chain",
  ],

  "openai-agents": [...CORE, "@openai/agents"],
  postgres: CORE,
  server: [...CORE, "@toolrail/core/pipe"],

  cli: [...CORE, "cli/commands", "cli/terminal", "commander", "node:*", "../package.json"],
  "cli/terminal": [...CORE, "cli", "node:*", "picocolors"],
  "cli/servers": [
    ...CORE,
    ...["cli", "cli/commands", "node:*", "../package.json"],
    ...["@modelcontextprotocol/client", "cross-spawn", "shell-quote"],
  ],
  "cli/check": [...CORE, "@toolrail/core/contract", "cli/servers", "cli/terminal", "tokenx"],
  "cli/report": [...CORE, "@toolrail/core/pipe", "cli/terminal"],
  "cli/typegen": [...CORE, "json-schema-to-typescript"],
  "cli/commands": [
    ...CORE,
    ...[
      "@toolrail/core/guard",
      "@toolrail/core/pipe",
      "@toolrail/core/pipe/flow",
      "@toolrail/core/source",
      "@toolrail/langgraph",
    ],
    ...[
      "cli",
      "cli/check",
      "cli/report",
      "cli/servers",
      "cli/terminal",
      "cli/typegen",
      "commander",
    ],
  ],

  conformance: [
    ...CORE,
    "@toolrail/core/guard",
    "@toolrail/core/pipe",
    "conformance/checks",
    "conformance/requirements",
    "node:*",
  ],
  "conformance/checks": [...CORE, "@toolrail/core/pipe/flow", "conformance", "node:*"],
  "conformance/requirements": ["conformance"],
};

/** What breaks a fence today: `part → import`. Take a line away with its cause, and add none. */
export const EXCEPTIONS: readonly string[] = ["core → core/pipe"];

/** The sizes of the circles of files that there are today, types included. A circle may shrink and none may be added. */
export const CIRCLES: readonly number[] = [22, 10, 3];

/** The most lines of source that are evaluated when an entry is imported. */
export const LOADS: Readonly<Record<string, number>> = {
  "@toolrail/core": 7_100,
  "@toolrail/core/contract": 1_400,
  "@toolrail/core/connect": 1_300,
  "@toolrail/core/otel": 1_000,
  "@toolrail/core/source": 2_300,
  "@toolrail/core/pipe": 7_500,
  "@toolrail/core/pipe/flow": 3_900,
  "@toolrail/core/guard": 5_700,
  "@toolrail/core/adapter": 7_500,
  "@toolrail/ai-sdk": 14_400,
  "@toolrail/ai-sdk/page": 200,
  "@toolrail/langgraph": 15_800,
  "@toolrail/openai-agents": 10_200,
  "@toolrail/postgres": 10_100,
  "@toolrail/server": 11_200,
  "@toolrail/cli": 400,
  "@toolrail/conformance": 14_000,
};
