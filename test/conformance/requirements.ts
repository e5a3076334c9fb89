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
] as const satisfies readonly Requirement[];

export type RequirementId = (typeof requirements)[number]["id"];

function chain<const Id extends string>(id: Id, source: string, behaviour: string) {
  return { id, source, capability: "chain", behaviour } as const;
}
