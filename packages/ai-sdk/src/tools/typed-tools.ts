import type { Host, Tool, ToolSchemas } from "@toolrail/core";
import {
  invalidOptions,
  type SchemaArguments,
  type SchemaContent,
  type TypedCalls,
} from "@toolrail/core/adapter";
import type { TypedInputSchema } from "../sdk-internals.ts";
import type { SdkTool, ToolCallOptions } from "../sdk-types.ts";
import type { ToolOutput } from "./tool-output.ts";

/** The tools whose types the SDK and its pages know: ids of the host's `schemas`, by model name. */
export type TypedNames<Id extends string = string> = { readonly [modelName: string]: Id };

/** A host with the types of its `schemas`. */
export type HostWithSchemas<Schemas extends ToolSchemas> = Host &
  Pick<TypedCalls<Schemas>, "~schemas">;

type Arguments<Schema> = [SchemaArguments<Schema>] extends [never]
  ? unknown
  : SchemaArguments<Schema>;

/** A tool whose arguments and structured output are typed, for `InferUITools`. */
export interface TypedTool<Input, Structured>
  extends Omit<SdkTool<ToolOutput<Structured>>, "type" | "inputSchema" | "execute"> {
  readonly type?: undefined;
  readonly inputSchema: TypedInputSchema<Input>;
  execute(
    input: Input,
    options: ToolCallOptions,
  ): AsyncGenerator<ToolOutput<Structured>, void, undefined>;
}

/** The typed tools by model name, with the types of the host's `schemas`. */
export type TypedTools<
  Schemas extends ToolSchemas,
  Names extends TypedNames<keyof Schemas & string>,
> = {
  [Name in keyof Names]: TypedTool<
    Arguments<Schemas[Names[Name]]>,
    SchemaContent<Schemas[Names[Name]]>
  >;
};

export function checkNames(tools: readonly Tool[], names: TypedNames): void {
  for (const [modelName, id] of Object.entries(names)) {
    const found = tools.find((tool) => tool.id === id);
    if (found?.modelName === modelName) continue;
    const why = found
      ? `whose name for models is "${found.modelName}". Write { ${found.modelName}: "${id}" }.`
      : "which is not offered. Write the id of an offered tool, as in host.tools.";
    const message = `\`typed\` names "${modelName}" for ${id}, ${why}`;
    throw invalidOptions(message);
  }
}
