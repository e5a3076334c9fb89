import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { JsonObject } from "@toolrail/json";
import * as z from "zod";

const json = z.record(z.string(), z.json());
const call = z.object({ tool: z.string(), arguments: json, result: z.json() });
const turn = z.object({ user: z.string(), calls: z.array(call) });
const conversation = z.object({ id: z.string(), turns: z.array(turn) });

/** A call of the ground truth, and what the benchmark's service answers. */
export interface Call {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** An object: anything else stands under `value`. */
  readonly result: JsonObject;
}

export interface Turn {
  readonly user: string;
  readonly calls: readonly Call[];
}

export interface Conversation {
  readonly id: string;
  readonly turns: readonly Turn[];
}

const SCRIPT = fileURLToPath(new URL("replay.py", import.meta.url));

/** Runs the ground truth of the multi-turn conversations on the benchmark's own services, with Python. */
export async function loadConversations(folder: string): Promise<readonly Conversation[]> {
  const { stdout } = await promisify(execFile)("python3", [SCRIPT, folder], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const parsed = z.array(conversation).parse(JSON.parse(stdout));
  return parsed.map(({ id, turns }) => ({
    id,
    turns: turns.map(({ user, calls }) => ({ user, calls: calls.map(toCall) })),
  }));
}

function toCall({ tool, arguments: args, result }: z.infer<typeof call>): Call {
  const isObject = typeof result === "object" && result !== null && !Array.isArray(result);
  return { tool, arguments: args, result: isObject ? result : { value: result } };
}
