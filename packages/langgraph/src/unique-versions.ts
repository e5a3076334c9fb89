import type { BaseCheckpointSaver } from "@langchain/langgraph";

/**
 * Wraps a checkpointer so that its channel versions differ between workers, for a graph that two workers may run on
 * one thread at once. LangGraph.js counts versions, and savers such as `PostgresSaver` store only the first value of
 * each version. A worker with another value would then continue from the first worker's value. Versions that are not
 * numbers do not change. Pipes wrap their checkpointer themselves.
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
