import type { HostOptions, JsonObject } from "@toolrail/core";
import type { CreateWebAgent, ModelAccess } from "./agents/web-agent.ts";
import type { Mode } from "./protocol.ts";
import { createThread, type Thread } from "./thread.ts";

export interface ThreadsOptions {
  readonly bank: URL;
  readonly model: Omit<ModelAccess, "fetch">;
  readonly agents: Partial<Record<Mode, CreateWebAgent>>;
  readonly toRequestMeta: (threadId: string) => JsonObject;
  readonly authorize?: HostOptions["authorize"];
  readonly onProblem?: (problem: unknown) => void;
}

/** All conversations of this process. Their ids can't be guessed, and the oldest go first. */
export interface Threads {
  readonly modes: readonly Mode[];
  create(mode: Mode): Thread | undefined;
  find(id: string): Thread | undefined;
  close(): Promise<void>;
}

const MAX_THREADS = 200;

export function createThreads(options: ThreadsOptions): Threads {
  const { agents, toRequestMeta, ...shared } = options;
  const threads = new Map<string, Thread>();
  return {
    modes: (["ai-sdk", "langgraph", "guard"] as const).filter((mode) => agents[mode]),
    create(mode) {
      const createAgent = agents[mode];
      if (!createAgent) return undefined;
      const id = crypto.randomUUID();
      const thread = createThread({
        ...shared,
        ...{ id, mode, createAgent, requestMeta: toRequestMeta(id) },
      });
      threads.set(id, thread);
      const [oldest] = threads.values();
      if (threads.size > MAX_THREADS && oldest) {
        threads.delete(oldest.id);
        void oldest.close();
      }
      return thread;
    },
    find: (id) => threads.get(id),
    async close() {
      await Promise.allSettled([...threads.values()].map((thread) => thread.close()));
    },
  };
}
