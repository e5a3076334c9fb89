import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { JsonObject } from "@toolrail/json";
import { endClaimed } from "../langgraph-internals.ts";
import { type CallConfig, toolCallIdOf } from "./call-config.ts";

/** Content and artifact of a message, as LangChain's `content_and_artifact` has it. A message or a command stands for itself. */
export type ToolReturn = [content: unknown, artifact: unknown];

interface OpenToolFields {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, as models are shown it. */
  readonly schema: JsonObject;
  readonly metadata?: JsonObject;
  /** What provider packages read beside the schema. */
  readonly extras?: Record<string, unknown>;
  answer(args: unknown, config: CallConfig): Promise<ToolReturn>;
}

/**
 * A tool that is shown with its schema and invoked without LangChain's check of the arguments. LangChain
 * would check them first, with a validator that compiles an untrusted server's patterns as they are, and
 * with less to say; the host checks them. So calls go through a twin that accepts any object.
 */
export function openTool({ schema, answer, ...fields }: OpenToolFields): DynamicStructuredTool {
  const withSchema = (shown: JsonObject) =>
    new DynamicStructuredTool({
      ...fields,
      schema: shown,
      responseFormat: "content_and_artifact",
      func: (args: unknown, _run?: CallbackManagerForToolRun, config: CallConfig = {}) =>
        config.state === undefined
          ? answer(args, config)
          : answer(args, config).catch((error) => [endClaimed(error), undefined]),
    });
  let open: DynamicStructuredTool | undefined; // Most tools of a long list are never called.
  const invoke: DynamicStructuredTool["invoke"] = (...call) => {
    open ??= withSchema({ type: "object" });
    return open.invoke(...call);
  };
  return Object.defineProperty(withSchema(schema), "invoke", { value: invoke });
}

/** What a tool returns that writes its text itself. LangChain has no other form for one that failed. */
export function toReturn(
  { text, isError }: { readonly text: string; readonly isError: boolean },
  { name, artifact, config }: { name: string; artifact?: object; config: CallConfig },
): ToolReturn {
  if (!isError) return [text, artifact];
  const tool_call_id = toolCallIdOf(config) ?? "";
  return [
    new ToolMessage({ name, content: text, artifact, status: "error", tool_call_id }),
    artifact,
  ];
}
