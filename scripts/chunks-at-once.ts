import type { OutputAsset, OutputChunk } from "rolldown";

/** The chunks of a bundle that its entry imports, and those that they import: what is loaded before anything is used. */
export function chunksAtOnce(output: readonly (OutputChunk | OutputAsset)[]): Set<OutputChunk> {
  const chunks = output.filter((part) => part.type === "chunk");
  const atOnce = new Set(chunks.filter((chunk) => chunk.isEntry));
  for (const { imports } of atOnce) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) atOnce.add(chunk);
  }
  return atOnce;
}
