import type { HostTool } from "@toolrail/core";
import { type Written, writeTypes } from "./write-types.ts";

const HEAD = `// Written by \`toolrail typegen\` from what the servers list. Do not edit: run it again.
import { toStandardSchema } from "@toolrail/core";
`;

/** Writes a module: `ToolTypes`, and `schemas` that type the arguments of every tool and parse results where it says what they are. */
export async function writeModule(tools: readonly HostTool[]): Promise<Written> {
  const { source, untyped } = await writeTypes(tools);
  const entries = tools.flatMap(({ id, outputSchema }) => {
    const key = JSON.stringify(id);
    const isTyped = !untyped.includes(id);
    const type = (side: string) => (isTyped ? `ToolTypes[${key}]["${side}"]` : "unknown");
    // Arguments are checked by the server's own schema: `{}` takes all of them.
    const input = isTyped ? [`    input: toStandardSchema<${type("arguments")}>({}),`] : [];
    const output = outputSchema
      ? [`    output: toStandardSchema<${type("result")}>(${literal(outputSchema)}),`]
      : [];
    const sides = [...input, ...output];
    return sides.length > 0 ? [`  ${key}: {\n${sides.join("\n")}\n  },`] : [];
  });
  const schemas = `/** Types of the tools' arguments and parsers of their results, for \`createHost({ servers, schemas })\`. */
export const schemas = {
${entries.join("\n")}
};
`;
  return { source: [HEAD, source, schemas].join("\n"), untyped };
}

/** JSON as an expression: `"__proto__": …` would set the prototype of an object literal. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2)
    .replaceAll('"__proto__":', '["__proto__"]:')
    .replaceAll("\n", "\n    ");
}
