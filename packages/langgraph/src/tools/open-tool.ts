import type { CallbackManagerForToolRun } from "@langchain/core/callbacks/manager";
import { DynamicStructuredTool } from "@langchain/core/tools";
import type { JsonObject } from "@toolrail/core";
import { endClaimed } from "../langgraph-internals.ts";
import type { CallConfig } from "./call-config.ts";

export interface OpenToolFields {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, as models are shown it. */
  readonly schema: JsonObject;
  readonly metadata?: JsonObject;
  /** Answers a call with the content and the artifact of its message. */
  answer(args: unknown, config: CallConfig): Promise<[content: unknown, artifact: unknown]>;
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
  const open = withSchema({ type: "object" });
  return Object.defineProperty(withSchema(schema), "invoke", { value: open.invoke.bind(open) });
}
