import type { HostTool } from "../../call/tool.ts";
import type { RecordedCall } from "./recorded-calls.ts";

/**
 * The steps that each call waits for, besides those that it refers to: one that may write for those before it, and what
 * comes later for the last that may. A tool that is not known may write.
 */
export function orderWrites(
  calls: readonly RecordedCall[],
  tools: readonly HostTool[],
): readonly (readonly string[])[] {
  const readOnly = new Set(
    tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ id }) => id),
  );
  let reads: string[] = [];
  let writes: string[] = [];
  return calls.map(({ id, tool }) => {
    const isWrite = !readOnly.has(tool);
    const after = isWrite && reads.length > 0 ? reads : writes;
    if (isWrite) writes = [id];
    reads = isWrite ? [] : [...reads, id];
    return after;
  });
}
