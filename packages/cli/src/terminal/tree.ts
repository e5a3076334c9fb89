/** A node of a tree for people: one line, lines below it, and what follows from it. */
export interface TreeNode {
  readonly label: string;
  readonly details?: readonly string[];
  readonly children?: readonly TreeNode[];
}

/** Draws trees with lines; `dim` colours the lines. */
export function renderTree(nodes: readonly TreeNode[], dim: (text: string) => string): string {
  return nodes.flatMap((node) => renderNode(node, "", "", dim)).join("\n");
}

function renderNode(
  { label, details = [], children = [] }: TreeNode,
  first: string,
  rest: string,
  dim: (text: string) => string,
): string[] {
  const below = children.length > 0 ? "│  " : "   ";
  const lines = details.flatMap((detail) => detail.split("\n"));
  return [
    dim(first) + label.replaceAll("\n", "\\n"), // A stranger's name draws no line of its own.
    ...lines.map((line) => dim(rest + below) + line),
    ...children.flatMap((child, at) => {
      const last = at === children.length - 1;
      return renderNode(child, rest + (last ? "└─ " : "├─ "), rest + (last ? "   " : "│  "), dim);
    }),
  ];
}
