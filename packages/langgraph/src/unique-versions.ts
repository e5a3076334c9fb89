import type { BaseCheckpointSaver } from "@langchain/langgraph";

/**
 * The checkpointer with versions of channels that no other worker gives out, for a graph that two workers may run on one
 * thread at once. LangGraph.js counts versions, and savers such as `PostgresSaver` keep the first value of each: a worker
 * that came to another value would go on from that of the other. Versions that a saver makes in its own way stay as they
 * are. A pipe brings this along.
 */
export function uniqueVersions<Saver extends BaseCheckpointSaver>(checkpointer: Saver): Saver {
  const getNextVersion = (current: number | undefined) => {
    const next: unknown = checkpointer.getNextVersion(current);
    return typeof next === "number" ? Number((Math.floor(next) + Math.random()).toFixed(6)) : next;
  };
  return new Proxy(checkpointer, {
    get(saver, key) {
      if (key === "getNextVersion") return getNextVersion;
      const value: unknown = Reflect.get(saver, key, saver);
      return typeof value === "function" ? value.bind(saver) : value;
    },
  });
}
