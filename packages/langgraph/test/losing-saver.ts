import { MemorySaver } from "@langchain/langgraph";
import type { Hop } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";

/** Where a process is lost: at its `count`-th write of a checkpoint, before or after it is written. */
export interface LossPoint {
  readonly count: number;
  readonly isWritten: boolean;
}

interface LosingSaver extends MemorySaver {
  /** The values of all writes that were made. */
  readonly written: unknown[];
}

/** A saver whose process is lost at a write. Nothing is written after that. */
export function losingSaver({ count, isWritten }: LossPoint): LosingSaver {
  const saver: LosingSaver = Object.assign(new MemorySaver(), { written: [] });
  let begun = 0;
  const write = async <Written>(
    value: unknown,
    inner: () => Promise<Written>,
  ): Promise<Written> => {
    begun++;
    const at = begun;
    if (at > count || (at === count && !isWritten)) throw new Error("lost");
    const done = await inner();
    saver.written.push(value);
    if (at === count) throw new Error("lost");
    return done;
  };
  const put = saver.put.bind(saver);
  const putWrites = saver.putWrites.bind(saver);
  saver.put = (...given) => write(given[1].channel_values, () => put(...given));
  saver.putWrites = (...given) => write(given[1], () => putWrites(...given));
  return saver;
}

/** What another process finds of a saver: its bytes. */
export function inOtherProcess(saver: MemorySaver): MemorySaver {
  const { storage, writes } = structuredClone({ storage: saver.storage, writes: saver.writes });
  return Object.assign(new MemorySaver(), { storage, writes });
}

/** The calls whose results stand in what was written: their arguments, by their ids. */
export function hopsIn(written: readonly unknown[]): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  JSON.stringify(written, (key, value) => {
    const hops: readonly Hop[] = key === "hops" && Array.isArray(value) ? value : [];
    for (const { callId, arguments: args } of hops) found.set(callId, args);
    return value;
  });
  return found;
}
