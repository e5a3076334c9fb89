import { MemorySaver } from "@langchain/langgraph";
import { canonicalJson } from "@toolrail/core/json";
import fc from "fast-check";
import { callKey, type Ledger } from "../world/ledger.ts";

/** When a process is lost: at its n-th write of a checkpoint, before or after it, or at its n-th call. */
export interface Crash {
  readonly at: "before-write" | "after-write" | "call";
  readonly nth: number;
}

/** When the first processes of a run are lost; the last one lives. */
export const crashPlans: fc.Arbitrary<readonly Crash[]> = fc.array(
  fc.record({
    at: fc.constantFrom("before-write", "after-write", "call"),
    nth: fc.integer({ min: 1, max: 14 }),
  }),
  { minLength: 1, maxLength: 3 },
);

const LOST = "The process was lost.";

/** A process with its hold on the checkpoints, which others share. */
export interface Life {
  readonly process: { isLost: boolean };
  readonly saver: MemorySaver;
  /** To be told of each call before it reaches its server: it throws where the process is lost. */
  onCall(): void;
}

/** Begins a process over the checkpoints of those before it. */
export function beginLife(
  { ledger, shared }: { readonly ledger: Ledger; readonly shared: MemorySaver },
  crash: Crash | undefined,
): Life {
  const process = { isLost: false };
  let writes = 0;
  let calls = 0;
  const lose = () => {
    if (process.isLost) return;
    process.isLost = true;
    ledger.crashes++;
  };
  const write = async <Result>(values: unknown, make: () => Promise<Result>): Promise<Result> => {
    const isLast = crash !== undefined && crash.at !== "call" && ++writes === crash.nth;
    if (isLast && crash.at === "before-write") lose();
    if (process.isLost) throw new Error(LOST);
    const result = await make();
    for (const key of finishedIn(values)) ledger.finished.add(key);
    if (!isLast) return result;
    lose();
    throw new Error(LOST);
  };
  // One storage for all processes; each has its own way to it.
  const saver = Object.assign(new MemorySaver(), {
    storage: shared.storage,
    writes: shared.writes,
  });
  const put = saver.put.bind(saver);
  const putWrites = saver.putWrites.bind(saver);
  Object.assign(saver, {
    put: (...args: Parameters<typeof put>) => write(undefined, () => put(...args)),
    putWrites: (...args: Parameters<typeof putWrites>) => write(args[1], () => putWrites(...args)),
  });
  return {
    process,
    saver,
    onCall() {
      if (process.isLost) throw new Error(LOST);
      if (crash?.at === "call" && ++calls === crash.nth) lose();
    },
  };
}

/** The calls among values that go into a checkpoint: each is finished, and must not be made again. */
function finishedIn(values: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(values, (_key, value: unknown) => {
    const { server, tool, arguments: args, result } = Object(value);
    if (result && typeof server === "string" && typeof tool === "string") {
      found.push(
        callKey({ tool: `${server}.${tool}`, arguments: JSON.parse(canonicalJson(args)) }),
      );
    }
    return value;
  });
  return found;
}
