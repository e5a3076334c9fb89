/** A node of a tree for people: a label, lines below it, and children. */
export interface TreeNode {
  readonly label: string;
  readonly details?: readonly string[];
  readonly children?: readonly TreeNode[];
}

/** Draws trees. `dim` colours the lines between nodes. */
export function renderTree(nodes: readonly TreeNode[], dim: (text: string) => string): string {
  const draw = (
    { label, details = [], children = [] }: TreeNode,
    { first, rest } = { first: "", rest: "" },
  ): string[] => {
    const below = rest + (children.length > 0 ? "│  " : "   ");
    const lines = details.flatMap((detail) => detail.split("\n"));
    return [
      dim(first) + label.replaceAll("\n", "\\n"), // A tool's name cannot add a line to the tree.
      ...lines.map((line) => dim(below) + line),
      ...children.flatMap((child, at) => {
        const [branch, stem] = at === children.length - 1 ? ["└─ ", "   "] : ["├─ ", "│  "];
        return draw(child, { first: rest + branch, rest: rest + stem });
      }),
    ];
  };
  return nodes.flatMap((node) => draw(node)).join("\n");
}
