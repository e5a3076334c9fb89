import { createHost, type Host } from "@toolrail/core";
import { connectInMemory } from "../servers/connect.ts";
import { TOOLS } from "../servers/tools.ts";

/** A pipe of so many steps, each of which takes a field of the one before. */
export function specOf(steps: number) {
  return {
    steps: Array.from({ length: steps }, (_, at) => ({
      id: `s${at}`,
      tool: "echo",
      args: { v: at === 0 ? "x" : { $ref: `steps.s${at - 1}.structured.v` } },
    })),
    return: { $ref: `steps.s${steps - 1}.structured.v` },
  };
}

export function stepsOf(count: number): string {
  return `${count} ${count === 1 ? "step" : "steps"}`;
}

/** A host whose one tool answers with its arguments. */
export async function openEcho(): Promise<Host> {
  const { echo } = TOOLS;
  const { client } = await connectInMemory({ echo }, { json: false });
  return createHost({ servers: { web: client } });
}
