import type { Tool } from "@toolrail/core";
import { isUnread } from "@toolrail/core/adapter";
import type { CommandCall, Outcome } from "./run-toolrail.ts";
import { withHost } from "./servers.ts";
import { oneLine, plainText, renderTree, type Style, type TreeNode } from "./terminal.ts";

/** Lists the tools of the servers. Not ok if a server gives no list. */
export async function runTools(call: CommandCall): Promise<Outcome> {
  return withHost(call, async ({ host, servers }) => {
    const { tools, problems } = host; // Lists that are read after the servers are closed would fail.
    return {
      ok: !problems.some(isUnread),
      document: tools,
      text: (style) => {
        const { bold, dim, red } = style.colours;
        const nodes = servers.map(({ name }): TreeNode => {
          const offered = tools.filter(({ server }) => server === name);
          const failed = problems.filter(({ server }) => server === name);
          return {
            label: `${bold(name)} ${dim(`${offered.length} tools`)}`,
            children: [
              ...offered.map((tool) => toolNode(tool, style)),
              ...failed.map(({ message }) => ({ label: red(`✖ ${plainText(message)}`) })),
            ],
          };
        });
        return renderTree(nodes, dim);
      },
    };
  });
}

function toolNode(tool: Tool, { colours, width }: Style): TreeNode {
  const { description = "", inputSchema, outputSchema, forModel, modelName, name } = tool;
  const marks = [
    ...(outputSchema ? ["typed result"] : []),
    ...(forModel ? [] : ["only for the application"]),
    ...(modelName === name ? [] : [`models see ${modelName}`]),
  ];
  const about = marks.length > 0 ? colours.dim(` [${marks.join(", ")}]`) : "";
  const { properties, required } = inputSchema;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(Object(properties)).map((field) =>
    needed.includes(field) ? field : `${field}?`,
  );
  const signature = colours.dim(`(${oneLine(names.join(", "), width - 30)})`);
  return {
    label: `${colours.cyan(plainText(name))}${signature}${about}`,
    details: description === "" ? [] : [oneLine(description, width - 8)],
  };
}
