import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { JsonObject } from "@toolrail/core/json";
import type { CallConfig } from "./call-config.ts";

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
export function openTool({ schema, answer, ...fields }: OpenToolFields): DynamicStructuredTool {
  const create = (shown: JsonObject) =>
    new DynamicStructuredTool({
      ...fields,
      schema: shown,
      responseFormat: "content_and_artifact",
      func: (args: unknown, _run?: CallbackManagerForToolRun, config: CallConfig = {}) =>
        answer(args, config),
    });
  const shown = create(schema);
  const open = create({ type: "object" });
  shown.invoke = open.invoke.bind(open);
  return shown;
}
