import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { ToolMessage } from "@langchain/core/messages";
import { DynamicStructuredTool, type DynamicStructuredToolInput } from "@langchain/core/tools";
import type { JsonObject } from "@toolrail/core/json";
import { type CallConfig, readToolCallId } from "./call-config.ts";

/**
 * The content and artifact of a message, as LangChain's `content_and_artifact` requires, or a message or command as
 * content.
 */
export type ToolReturn = [content: unknown, artifact: unknown];

interface OpenToolFields {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  readonly metadata?: JsonObject;
  answer(args: unknown, config: CallConfig): Promise<ToolReturn>;
}

/**
 * Creates a tool that models see with its schema, and that LangChain calls without its own check of the arguments.
 * LangChain's validator would compile the patterns of an untrusted server unchanged, and its errors name less. The
 * host checks the arguments instead. So calls run through a twin whose schema accepts any object.
 */
export function openTool(fields: OpenToolFields): DynamicStructuredTool {
  const { name, description, schema, metadata, answer } = fields;
  const func = (args: unknown, _run?: CallbackManagerForToolRun, config: CallConfig = {}) =>
    answer(args, config);
  // Spreads would cost more than LangChain's own tool does, in a list of thousands.
  const withSchema = (shown: JsonObject) => {
    const form: DynamicStructuredToolInput = {
      name,
      description,
      schema: shown,
      responseFormat: FORMAT,
      func,
    };
    if (metadata) form.metadata = metadata;
    return new DynamicStructuredTool(form);
  };
  let open: DynamicStructuredTool | undefined; // Created at the first call, since most tools of a long list are never called.
  const invoke: DynamicStructuredTool["invoke"] = (...call) => {
    open ??= withSchema({ type: "object" });
    return open.invoke(...call);
  };
  const shown = withSchema(schema);
  shown.invoke = invoke;
  return shown;
}

const FORMAT = "content_and_artifact";

/** Returns the content and artifact of a text. LangChain has no other form for a failed result. */
export function toReturn(
  { text, isError }: { readonly text: string; readonly isError: boolean },
  { name, artifact, config }: { name: string; artifact?: object; config: CallConfig },
): ToolReturn {
  if (!isError) return [text, artifact];
  const tool_call_id = readToolCallId(config) ?? "";
  return [
    new ToolMessage({ name, content: text, artifact, status: "error", tool_call_id }),
    artifact,
  ];
}
