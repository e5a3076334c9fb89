import { guide, mcp, type Statement } from "./sources.ts";

const chain = (behaviour: string) => guide("chains", behaviour);
const rule = (behaviour: string) => guide("chains", behaviour);
const plugin = (behaviour: string) => guide("plugins", behaviour);
const reads = (behaviour: string) => guide("audience", behaviour);

export const chainRequirements = {
  // The next call.
  "chain/invokes": chain("A chain calls the tool that nextTool names, with the arguments given."),
  "chain/arguments-optional": chain("A next tool without arguments is called with {}."),
  "chain/without": chain("A result that names no next tool ends the chain."),
  "chain/error-recovery": chain("A nextTool on a result that is an error is followed."),
  "chain/deterministic": chain("No model is asked between two hops, however many there are."),
  "chain/paging": chain("A chain continues with the same tool and other arguments."),
  "chain/text": chain("A text or a block that asks for a call causes none."),
  // The key.
  "chain/openai-key": chain("The key openai/nextTool is read too."),
  "chain/alias": chain("A nextTool may use the key name instead of tool."),
  "chain/alias-conflict": chain("A nextTool whose tool and name differ is refused."),
  "chain/key-list": chain("The keys that the application lists are read, and no other."),
  "chain/key-agree": chain("Two keys that name the same call count as one."),
  "chain/key-conflict": chain("Two keys that name different calls are refused."),
  "chain/malformed": chain("A nextTool of a wrong shape ends the chain, and the hop is kept."),
  // The meaning of a tool's name.
  "chain/own-server": chain("A nextTool means the tool of the server that returned it."),
  "chain/other-server": chain("A nextTool does not reach a tool of another server."),
  "chain/operator-rule": chain("A chain crosses servers if the operator allows the pair."),
  "chain/unknown-tool": chain("A next tool that does not exist ends the chain; the hop is kept."),
  "chain/outside-allow": chain("A next tool outside the allowlist is not called."),
  "chain/app-only": chain("An app-only tool is called where a result of its server names it."),
  // Limits and failures.
  "chain/validates": chain("A next call whose arguments break the schema is never sent."),
  "chain/depth": chain("Five calls are made and not the sixth, and all five hops are kept."),
  "chain/circular": chain("A call that the chain has made already is not repeated."),
  "chain/denied": chain(
    "A hop that authorize denies ends the chain, and the hops before are kept.",
  ),
  "chain/failed": chain("A hop that fails ends the chain, and the hops before are kept."),
  "chain/early-end": chain("The model reads that a chain ended early, as an error."),
  "chain/abort": chain("An aborted chain stops in the middle, and the server learns of it."),
  "chain/abort-kept": chain("An aborted chain is reported with its hops and the reason."),
  // Policies and listeners.

  "chain/authorizes": chain("Authorize is asked about each call before it is made."),
  "chain/told-once": chain("The host's onHop is told of each call exactly once, in order."),
  "chain/listener-once": chain("The adapter's onHop is told of each call exactly once, in order."),
  "chain/edited": chain("A waiting hop whose arguments were edited in the messages is refused."),
  "chain/forged": chain("A hop that no result asked for is refused, whatever messages say."),
  "approval/pending": chain("A call that waits for a person is not made."),
  "approval/resume": chain("An approved call is made once, and no earlier hop again."),
  "approval/changes": chain(
    "A person who approves a call may change its arguments: these are sent, and it is recorded.",
  ),
  "approval/changes-read": chain("A model reads that a person changed the arguments of a call."),
  "approval/changes-checked": chain("Changed arguments that break the schema are not sent."),
  "approval/deny": chain("A call that a person refused is not made."),
  "approval/ended": chain("A resumed or refused chain reports how it ended."),
  // Plugins of the application.
  "plugin/denies": plugin("A call that a plugin denies is not made, whoever asks for it."),
  "plugin/fails-closed": plugin(
    "A call whose policy in a plugin throws is not made, and no model reads what it threw.",
  ),
  "plugin/transforms": plugin(
    "What a plugin removes from a result reaches no model, no listener and no store.",
  ),
  "plugin/answers": plugin("A plugin that wraps the request may answer instead of the server."),
  "plugin/next-call": plugin("A plugin can choose the call that follows a result, and is named."),
  // Rules of the operator.
  "rule/invokes": rule("A rule makes its call after a result that it applies to, and is named."),
  "rule/server-first": rule(
    "A server's own nextTool goes before a rule that does not override it.",
  ),
  "rule/error": rule("A rule follows an error only if it is for errors."),
  "rule/failed": rule("A rule whose call cannot be made ends the chain; the hop is kept."),
  "rule/loop": rule("A rule that leads back to itself stops at the depth limit."),
  "rule/approval": rule("A call of a rule waits for a person if authorize asks for one."),
  "input/unanswered": mcp(
    "Elicitation",
    "A call whose server asks the user fails if nobody can answer, and no model reads what is asked.",
  ),
  "input/answered": mcp(
    "Elicitation",
    "An answered call goes out again with its arguments and the server's state, and the chain goes on.",
  ),
  "input/page": mcp("Elicitation", "A user visits a page during a call, unread by models."),
  "input/refitted": mcp(
    "Elicitation",
    "An answer that does not fit its form is not sent, and the user is asked again.",
  ),
  "input/bounded": mcp("Elicitation", "A server asks the user ten times in one call at most."),
  // The model's own call.
  "call/arguments": mcp(
    "Tools: Security Considerations",
    "Arguments of a model that break the schema are not sent, and the model reads why.",
  ),
  "call/default": chain(
    "An argument that has a default may be left out of a call, though the server requires it.",
  ),
  "call/app-only": mcp("MCP Apps: Visibility", "A model cannot call an app-only tool."),
  "call/not-allowed": chain("A model cannot call a tool outside the allowlist."),
  "call/denied": chain(
    "A model's call that authorize denies is not sent, and the model reads why.",
  ),
  "call/origin": chain("Authorize is told that a model asks for its call."),
  "call/protocol-error": mcp(
    "Tools: Error Handling",
    "A model reads a protocol error as an error.",
  ),
  "call/bad-output": mcp(
    "Tools: Output Schema",
    "A result that breaks its output schema is kept, with the verdict.",
  ),
  "chain/invalid-output": chain(
    "A result that breaks its output schema ends the chain: no nextTool and no rule is followed.",
  ),
  "view/invalid-output": reads(
    "The model reads one line, as an error, of an output that breaks its schema.",
  ),
  "call/request-meta": chain("A request carries the _meta of the application, and no model's."),
  // The model's view of results.
  "view/meta": mcp("Base Protocol: _meta", "A model never reads _meta."),
  "view/audience": mcp(
    "Resources: Annotations",
    "A model reads the blocks for it and for all, in order, word for word.",
  ),
  "view/user-only": reads("A model reads a placeholder if all blocks are for the user."),
  "view/unheard": reads("Where nobody listens, no model reads that the user was shown anything."),
  "view/chain-user-only": reads("A model reads no block for the user of any hop."),
  "view/labelled": reads(
    "A model reads which tool each result of a chain came from, and no label where one call was made.",
  ),
  "view/labelled-made": reads("A model never reads that a call was made if it was not."),
  "view/operator-audience": reads("A model reads nothing that the operator keeps for the user."),
  "view/structured": reads("A model reads structuredContent as JSON if no text contains it."),
  "view/structured-once": reads("A model reads structuredContent once if a text is its JSON."),
  "view/wrapped-once": reads(
    "A model reads a text or media once where structuredContent wraps it.",
  ),
  "view/structured-user": reads("A model reads no structuredContent beside blocks for the user."),
  "view/structured-any": mcp(
    "Tools: Structured Content",
    "A model reads structuredContent that is 0, false, null, empty or a list.",
  ),
  "view/is-error": mcp(
    "Tools: Error Handling",
    "A model reads a tool's error as an error, with its text and structured details.",
  ),
  "view/widget": reads(
    "A result without content that its tool or its _meta declares a widget is for the user.",
  ),
  "view/empty": reads("A result without content that nothing declares a widget is read as empty."),
  "view/undecodable": reads("Media that cannot be decoded are named, and end no run."),
  "view/media": reads("A model never reads base64 as text."),
} as const satisfies Readonly<Record<string, Statement>>;
