import type { Capabilities } from "./harness.ts";

/** One behaviour that every implementation of a capability must show. */
export interface Requirement {
  readonly id: string;
  readonly source: string;
  readonly capability: keyof Capabilities;
  /** One sentence, in the present tense. */
  readonly behaviour: string;
}

const PROPOSAL = "tool chaining metadata proposal";
const PATTERN = "tool chaining pattern";
const MCP = "Model Context Protocol 2026-07-28";
const CONTRACT = "mcp_pipe contract";
const TOOL_CONTRACT = "tool contract";
const TOOLRAIL = "Toolrail";

/** The requirements as data: each has exactly one check in `checks/`. */
export const requirements = [
  // The chain, as proposed.
  chain("chain/invokes", PROPOSAL, "calls the tool that nextTool names with the arguments given"),
  chain("chain/arguments-optional", PROPOSAL, "calls a next tool without arguments with {}"),
  chain("chain/validates", PROPOSAL, "never sends a next call whose arguments break the schema"),
  chain("chain/depth", PROPOSAL, "makes five calls and not the sixth, and keeps all five hops"),
  chain("chain/circular", PROPOSAL, "does not repeat a call that the chain has made already"),
  chain(
    "chain/authorizes",
    PROPOSAL,
    "asks authorize for every hop, and says which call caused it",
  ),
  chain("chain/without", PROPOSAL, "makes one call where a result names no next tool"),
  chain("chain/error-recovery", PROPOSAL, "follows nextTool on a result that is an error"),
  chain("chain/openai-key", PROPOSAL, "reads the key openai/nextTool too"),
  chain("chain/alias", PATTERN, "accepts name for tool"),
  chain("chain/deterministic", PATTERN, "asks no model between two hops, however many there are"),
  // The chain, where the proposal is silent.
  chain("chain/alias-conflict", TOOLRAIL, "refuses a nextTool whose tool and name differ"),
  chain("chain/key-list", TOOLRAIL, "reads the keys that the application lists, and no other"),
  chain("chain/key-agree", TOOLRAIL, "takes two keys that name the same call as one"),
  chain("chain/key-conflict", TOOLRAIL, "refuses two keys that name different calls"),
  chain("chain/malformed", TOOLRAIL, "ends at a nextTool of a wrong shape, and keeps the hop"),
  chain("chain/paging", TOOLRAIL, "goes on with the same tool and other arguments"),
  chain("chain/own-server", TOOLRAIL, "means the tool of the server that returned the result"),
  chain("chain/other-server", TOOLRAIL, "does not reach a tool of another server"),
  chain(
    "chain/operator-rule",
    TOOLRAIL,
    "reaches another server where the operator allows the pair",
  ),
  chain(
    "chain/unknown-tool",
    TOOLRAIL,
    "ends at a next tool that does not exist, and keeps the hop",
  ),
  chain("chain/outside-allow", TOOLRAIL, "does not call a next tool outside the allowlist"),
  chain("chain/app-only", TOOLRAIL, "calls an app-only tool that a result of its server names"),
  chain("chain/denied", TOOLRAIL, "ends at a hop that authorize denies, and keeps the hops before"),
  chain("chain/failed", TOOLRAIL, "ends at a hop that fails, and keeps the hops before"),
  chain("chain/abort", TOOLRAIL, "stops in the middle when aborted, and tells the server"),
  chain("chain/text", TOOLRAIL, "makes no call because the text of a result asks for one"),
  chain("chain/early-end", TOOLRAIL, "tells the model that a chain ended early, as an error"),
  chain("approval/pending", TOOLRAIL, "does not make a call that waits for a person"),
  chain("approval/resume", TOOLRAIL, "makes an approved call once, and no earlier hop again"),
  chain("approval/deny", TOOLRAIL, "does not make a call that a person refused"),
  // The door.
  chain("door/arguments", TOOLRAIL, "sends nothing where a model's arguments break the schema"),
  chain("door/app-only", MCP, "does not let a model call an app-only tool"),
  chain("door/not-allowed", TOOLRAIL, "does not let a model call a tool outside the allowlist"),
  chain("door/denied", TOOLRAIL, "sends nothing where authorize denies a model's call"),
  chain("door/origin", TOOLRAIL, "tells authorize that a model asks"),
  chain("door/protocol-error", MCP, "gives the model a protocol error as an error"),
  chain("door/bad-output", MCP, "keeps a result that breaks its output schema, with the verdict"),
  chain("door/request-meta", TOOLRAIL, "sends the request _meta of the application and no other"),
  // What a model reads.
  chain("view/meta", MCP, "never shows _meta to the model"),
  chain(
    "view/audience",
    MCP,
    "shows the model the blocks for it and for all, in order, word for word",
  ),
  chain("view/user-only", MCP, "shows a placeholder where all blocks are for the user"),
  chain("view/chain-user-only", MCP, "hides user-only blocks of every hop of a chain"),
  chain("view/structured", TOOLRAIL, "shows structuredContent as JSON where no text holds it"),
  chain("view/structured-once", TOOLRAIL, "shows structuredContent once where a text is its JSON"),
  chain(
    "view/structured-user",
    TOOLRAIL,
    "hides structuredContent where all blocks are the user's",
  ),
  chain("view/structured-any", MCP, "shows structuredContent that is 0, false, null or a list"),
  chain("view/is-error", MCP, "shows an error as an error, with its text and structured details"),
  chain("view/widget", TOOLRAIL, "takes a result with _meta alone as no error"),
  chain("view/media", MCP, "never gives the model base64 as text"),
  // The pipe, as its contract has it.
  pipe("pipe/sequential", CONTRACT, "runs steps in order and hands outputs on, text and typed"),
  pipe("pipe/output-format", CONTRACT, "answers with every field of the output format"),
  pipe("pipe/parallel", CONTRACT, "gives the outputs of a group by its children"),
  pipe("pipe/at-the-same-time", CONTRACT, "runs the children of a group at the same time"),
  pipe("pipe/nested", CONTRACT, "runs a pipe in a pipe, whose vars overlay those around it"),
  pipe("pipe/input-forms", CONTRACT, "takes a spec as object or text, bare or under spec"),
  pipe("pipe/long", CONTRACT, "runs 50 steps"),
  pipe("pipe/deep", CONTRACT, "runs five levels of pipes"),
  pipe(
    "pipe/parallel-limit",
    CONTRACT,
    "makes at most eight calls at once, nested groups included",
  ),
  pipe("pipe/too-many-steps", CONTRACT, "refuses 51 steps, all kinds counted"),
  pipe("pipe/too-deep", CONTRACT, "refuses six levels of pipes"),
  pipe("pipe/stops", CONTRACT, "stops at the first failure and keeps every result"),
  pipe("pipe/continues", CONTRACT, "goes on after a failure with continue_on_error, not ok"),
  pipe("pipe/group-fails", CONTRACT, "fails a group with a child, whose siblings finish"),
  pipe("pipe/recorded", CONTRACT, "records every call, and the pipe, under one id"),
  pipe("pipe/nested-fails", TOOLRAIL, "fails a nested pipe by its own continue_on_error"),
  // The pipe, where the contract is silent.
  pipe("pipe/refused", TOOLRAIL, "refuses a wrong spec before any call, and names the place"),
  pipe("pipe/ids", TOOLRAIL, "runs steps whose ids are any text"),
  pipe("pipe/chain", TOOLRAIL, "follows nextTool in a step, and keeps all hops"),
  pipe("pipe/too-many-hops", TOOLRAIL, "counts each hop as a step"),
  pipe("pipe/nested-vars", TOOLRAIL, "fails a nested pipe whose vars cannot be read"),
  pipe("pipe/return-missing", TOOLRAIL, "is not ok where return cannot be read"),
  pipe("pipe/arguments", TOOLRAIL, "sends nothing where arguments break the schema at last"),
  pipe("pipe/denied", TOOLRAIL, "asks authorize for every step"),
  pipe("pipe/never-reread", TOOLRAIL, "never reads inserted text as a reference or a command"),
  pipe("pipe/small-reply", TOOLRAIL, "never shows the model the output of every step"),
  pipe(
    "pipe/user-alone",
    TOOLRAIL,
    "hides from the model what was for the user alone, by any path",
  ),
  pipe("pipe/last-for-user", TOOLRAIL, "hides it in a pipe without return too"),
  pipe(
    "pipe/handed-on",
    TOOLRAIL,
    "hands such a value to other steps, whose results are their own",
  ),
  pipe("pipe/for-both", TOOLRAIL, "hides nothing that is for the model as well"),
  pipe("pipe/no-raw-results", TOOLRAIL, "lets references see the contract's fields, no raw result"),
  pipe("pipe/abort", TOOLRAIL, "stops when aborted, and begins no further call"),
  // The guard, as the tool contract has it.
  guard("guard/one-call", TOOL_CONTRACT, "makes one of the calls that are asked for at once"),
  guard("guard/insists", TOOL_CONTRACT, "makes no second call for a model that insists"),
  guard("guard/failed", TOOL_CONTRACT, "makes no second call after one that failed"),
  guard("guard/next-tool", TOOL_CONTRACT, "reports a nextTool and does not follow it"),
  guard("guard/no-list", TOOL_CONTRACT, "allows nothing where the list is missing or broken"),
  guard("guard/off-list", TOOL_CONTRACT, "does not call a tool that the list does not name"),
  guard("guard/app-only", TOOL_CONTRACT, "does not call an app-only tool, listed or not"),
  guard("guard/arguments", TOOL_CONTRACT, "sends nothing that the input schema does not describe"),
  guard("guard/typed", TOOL_CONTRACT, "gives the typed value of a result that keeps its schema"),
  guard("guard/untyped", TOOL_CONTRACT, "shows an untyped result to the user, and to no model"),
  guard("guard/tool-error", TOOL_CONTRACT, "shows an error to the user, and to no model"),
  guard("guard/interim", TOOL_CONTRACT, "takes no interim result for a result"),
  guard("guard/annotations", TOOL_CONTRACT, "asks a person whatever the server says of its tool"),
  // The guard, where the contract is silent.
  guard("guard/approved", TOOLRAIL, "makes an approved call, once"),
  guard("guard/rejected", TOOLRAIL, "makes no call that a person rejected"),
  guard("guard/changed", TOOLRAIL, "does not call a tool that changed since the query began"),
  guard("guard/model-pipe", TOOLRAIL, "runs no pipe that a model wrote, listed or not"),
  guard("guard/reply", TOOLRAIL, "gives the user a reply where the model says nothing"),
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof requirements)[number]["id"];

function chain<const Id extends string>(id: Id, source: string, behaviour: string) {
  return { id, source, capability: "chain", behaviour } as const;
}

function pipe<const Id extends string>(id: Id, source: string, behaviour: string) {
  return { id, source, capability: "pipe", behaviour } as const;
}

function guard<const Id extends string>(id: Id, source: string, behaviour: string) {
  return { id, source, capability: "guard", behaviour } as const;
}
