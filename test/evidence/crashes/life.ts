import { MemorySaver } from "@langchain/langgraph";
import { replaceClock } from "../../../packages/core/test/replace-clock.ts";

/** Where a process dies: before or after its n-th write of a checkpoint, or during its n-th call, which its server has carried out. */
export interface CrashPoint {
  readonly at: "before a write" | "after a write" | "during a call";
  readonly nth: number;
}

/** What survives all processes: the bytes of the checkpoints. */
export type Disk = Pick<MemorySaver, "storage" | "writes">;

/** A process: its way to the checkpoints, and its death. */
export interface Life {
  readonly saver: MemorySaver;
  /** Resolves when the process dies. */
  readonly died: Promise<void>;
  readonly isDead: () => boolean;
  /** What a process does after its death never ends. */
  whileAlive<Result>(act: () => Promise<Result>): Promise<Result>;
  /** To be told of a call that was carried out, before its answer is sent. */
  onCarriedOut(): Promise<void>;
}

/** Begins a process over the checkpoints of those before it. Without a point it lives. */
export function beginLife(disk: Disk, point?: CrashPoint): Life {
  // A process that goes on for another begins an hour later, when the claims of the dead one have run out.
  replaceClock(() => Date.now() + (point ? 0 : 3_600_000));
  const death = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  const seen = { "a write": 0, "a call": 0 };
  let isDead = false;
  const die = (): Promise<never> => {
    isDead = true;
    death.resolve();
    return never;
  };
  const saver = Object.assign(new MemorySaver(), { storage: disk.storage, writes: disk.writes });
  const put = saver.put.bind(saver);
  const putWrites = saver.putWrites.bind(saver);
  async function write<Result>(make: () => Promise<Result>): Promise<Result> {
    if (isDead) return never;
    const isLast = ++seen["a write"] === point?.nth;
    if (isLast && point.at === "before a write") return die();
    const result = await make();
    return isLast && point.at === "after a write" ? die() : result;
  }
  Object.assign(saver, {
    put: (...args: Parameters<typeof put>) => write(() => put(...args)),
    putWrites: (...args: Parameters<typeof putWrites>) => write(() => putWrites(...args)),
  });
  return {
    saver,
    died: death.promise,
    isDead: () => isDead,
    whileAlive: (act) => (isDead ? never : act()),
    async onCarriedOut() {
      const isLast = ++seen["a call"] === point?.nth;
      if (isDead || (isLast && point.at === "during a call")) return die();
    },
  };
}
