import { guide, mcp, type Statement } from "./sources.ts";

const guard = (behaviour: string) => guide("guard", behaviour);

/** The requirements of the single step: one query, one call, and nothing that was not allowed. */
export const guardRequirements = {
  // One call.
  "guard/one-call": guard("Of the calls that are asked for at once, one is made."),
  "guard/insists": guard("A model that asks again gets no second call."),
  "guard/failed": guard("After a call that failed there is no second one."),
  "guard/rule": guard("A call that a rule asks for is reported and not made."),
  "guard/next-tool": guard("A nextTool is reported and not followed."),
  // The allowlist.
  "guard/no-list": guard("A missing or broken list allows nothing."),
  "guard/off-list": guard("A tool that the list does not name is not called."),
  "guard/refusal-told": guard("The application and the user are told why a tool was not called."),
  "guard/app-only": mcp("MCP Apps: Visibility", "An app-only tool is not called, listed or not."),
  "guard/model-pipe": guard("A pipe that a model wrote does not run, listed or not."),
  "guard/changed": guard("A tool that changed since the query began is not called."),
  "guard/arguments": guard("Nothing is sent that the input schema does not describe."),
  "guard/authorizes": guard("Authorize is asked about the call, and about no other."),
  // A person.
  "guard/annotations": guard("A person is asked whatever the server says of its tool."),
  "guard/approved": guard("An approved call is made, once."),
  "guard/rejected": guard("A call that a person rejected is not made."),
  // The result.
  "guard/typed": guard("A result that keeps its schema gives a typed value."),
  "guard/untyped": guard("An untyped result is shown to the user, and to no model."),
  "guard/tool-error": guard("An error is shown to the user, and to no model."),
  "guard/interim": guard("An interim result is not taken for a result."),
  "guard/reply": guard("The user gets a reply if the model's answer is empty."),
} as const satisfies Readonly<Record<string, Statement>>;
