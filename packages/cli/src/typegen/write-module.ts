import type { HostTool } from "@toolrail/core";
import { type Written, writeTypes } from "./write-types.ts";

const HEAD = `// Written by \`toolrail typegen\` from what the servers list. Do not edit: run it again.
import { toStandardSchema } from "@toolrail/core";
`;

/** Writes a module: `ToolTypes`, and `schemas` with a Standard Schema for every tool that has an output schema. */
export async function writeModule(tools: readonly HostTool[]): Promise<Written> {
  const { source, untyped } = await writeTypes(tools);
  const parsers = tools.flatMap(({ id, outputSchema }) => {
    if (!outputSchema) return [];
    const key = JSON.stringify(id);
    const type = untyped.includes(id) ? "unknown" : `ToolTypes[${key}]["result"]`;
    return [`  ${key}: toStandardSchema<${type}>(${literal(outputSchema)}),`];
  });
  const schemas = `/** Parsers of the tools' results, for \`createHost({ servers, schemas })\`. */
export const schemas = {
${parsers.join("\n")}
};
`;
  return { source: [HEAD, source, schemas].join("\n"), untyped };
}

/** JSON as an expression: `"__proto__": …` would set the prototype of an object literal. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2)
    .replaceAll('"__proto__":', '["__proto__"]:')
    .replaceAll("\n", "\n  ");
}
