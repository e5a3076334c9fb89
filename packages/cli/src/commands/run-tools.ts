import type { Host, HostTool, JsonObject } from "@toolrail/core";
import type { Context } from "../context.ts";
import type { Outcome } from "../outcome.ts";
import { oneLine, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";
import type { Flags } from "./flags.ts";
import { withHost } from "./with-host.ts";

/** Lists the tools of the servers. Not ok where a server gives no list. */
export async function runTools(_args: readonly string[], flags: Flags, context: Context) {
  return withHost(flags, context, {}, async ({ host, servers }): Promise<Outcome> => {
    const { tools, problems } = host;
    return {
      ok: !problems.some(({ code }) => code === "list-failed"),
      document: tools,
      text: (style) => renderTools(Object.keys(servers.options), host, style),
    };
  });
}

function renderTools(servers: readonly string[], { tools, problems }: Host, style: Style): string {
  const { colours } = style;
  const nodes = servers.map((server): TreeNode => {
    const own = tools.filter((tool) => tool.server === server);
    const bad = problems.filter((problem) => problem.server === server);
    return {
      label: `${colours.bold(server)} ${colours.dim(`${own.length} tools`)}`,
      children: [
        ...own.map((tool) => toolNode(tool, style)),
        ...bad.map(({ message }) => ({ label: colours.red(`✖ ${plainText(message)}`) })),
      ],
    };
  });
  return renderTree(nodes, colours.dim);
}

function toolNode(tool: HostTool, { colours, width }: Style): TreeNode {
  const { description = "", inputSchema, outputSchema, forModel, modelName, name } = tool;
  const marks = [
    outputSchema ? "typed result" : undefined,
    forModel ? undefined : "for the application alone",
    modelName === name ? undefined : `models see ${modelName}`,
  ].filter((mark) => mark !== undefined);
  const about = marks.length > 0 ? colours.dim(` [${marks.join(", ")}]`) : "";
  return {
    label: `${colours.cyan(plainText(name))}${colours.dim(signature(inputSchema, width - 30))}${about}`,
    details: description === "" ? [] : [oneLine(description, width - 8)],
  };
}

/** The arguments in short: `(path, head?)`. */
function signature(schema: JsonObject, width: number): string {
  const { properties, required } = schema;
  const needed = Array.isArray(required) ? required : [];
  const names = Object.keys((properties ?? {}) as JsonObject);
  const text = names.map((name) => (needed.includes(name) ? name : `${name}?`)).join(", ");
  return `(${oneLine(text, width)})`;
}
