import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as z from "zod";

const call = z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) });
const task = z.object({ id: z.string(), goal: z.string(), calls: z.array(call) });
const suite = z.object({
  environment: z.record(z.string(), z.unknown()),
  vectors: z.record(z.string(), z.string()),
  userTasks: z.array(task),
  injectionTasks: z.array(task),
});

export type SuiteName = "banking" | "slack";
export type Call = z.infer<typeof call>;
/** What somebody wants, and the calls that the benchmark's authors hold for right. */
export type Task = z.infer<typeof task>;

export interface Suite {
  readonly userTasks: readonly Task[];
  readonly injectionTasks: readonly Task[];
  /** The data of the suite, with a text in every place that an attacker can write to; by default with what stands there. */
  data(planted?: string): Record<string, unknown>;
}

const SCRIPT = fileURLToPath(new URL("suite.py", import.meta.url));

/** Reads a suite out of a clone of AgentDojo, with Python. */
export async function loadSuite(clone: string, name: SuiteName): Promise<Suite> {
  const { stdout } = await promisify(execFile)("python3", [SCRIPT, clone, name], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const { environment, vectors, ...tasks } = suite.parse(JSON.parse(stdout));
  const plant = (text: string, planted: string | undefined) =>
    Object.entries(vectors).reduce((whole, [vector, usual]) => {
      return whole.replaceAll(`{${vector}}`, planted === undefined ? usual : `${usual} ${planted}`);
    }, text);
  return {
    ...tasks,
    data: (planted) => {
      const walk = (value: unknown): unknown => {
        if (typeof value === "string") return plant(value, planted);
        if (Array.isArray(value)) return value.map(walk);
        if (typeof value !== "object" || value === null) return value;
        const members = Object.entries(value).map(([key, inner]) => [
          plant(key, planted),
          walk(inner),
        ]);
        return Object.fromEntries(members);
      };
      return walk(environment) as Record<string, unknown>;
    },
  };
}
