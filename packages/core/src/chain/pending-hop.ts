import { z } from "zod";
import { type ToolRef, toolId } from "../call/tool.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import { isCall, type PendingCall } from "../result/hop.ts";
import { callText } from "./next-hop.ts";

/** A hop that a result asked for and that is not made yet. Plain JSON, which the framework stores. */
export interface PendingHop {
  /** The id of the call in the framework: see `hopId`. */
  readonly id: string;
  readonly runId: string;
  /** The framework's id of the model's call that began the chain. */
  readonly root: string;
  /** The key of the hop, if it follows from a call that is made once. It is the same in every worker. */
  readonly key?: string | undefined;
  readonly call: PendingCall;
  /** A hash of each earlier call of the chain. */
  readonly seen: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

const PREFIX = "hop-";

/** Builds the id of the hop that follows from a call. It has 40 characters if ids are UUIDs, which providers allow. */
export function hopId(callId: string): string {
  if (typeof callId !== "string") throw invalidOptions("hopId takes the `callId` of a hop.");
  return PREFIX + callId;
}

/** True if only a hop may have this id. A call with such an id never runs without its pending hop. */
export function isHopId(id: string): boolean {
  return typeof id === "string" && id.startsWith(PREFIX);
}

const PENDING_HOP = /* @__PURE__ */ z.object({
  id: z.string(),
  runId: z.string(),
  root: z.string(),
  key: z.string().optional(),
  call: z.unknown().refine(isCall),
  seen: z.array(z.unknown()),
  expiresAtMs: z.number(),
});

/** True if a value from a store or a state is a pending hop. */
export function isPendingHop(value: unknown): value is PendingHop {
  return PENDING_HOP.safeParse(value).success;
}

/** Returns why a call is not this pending hop, or `undefined` if it is and may be made now. */
export function pendingHopProblem(
  pending: PendingHop | undefined,
  call: ToolRef & { readonly arguments: JsonObject; readonly nowMs: number },
): ToolrailError | undefined {
  const refuse = (why: string) =>
    new ToolrailError("unknown-hop", `${toolId(call)} was not called now: ${why}.`);
  if (!pending || pending.expiresAtMs <= call.nowMs) return refuse(NOT_PENDING);
  if (callText(pending.call) === callText({ ...call, tool: call.name })) return undefined;
  const isSameTool = pending.call.server === call.server && pending.call.tool === call.name;
  return refuse(isSameTool ? CHANGED : "the result before it asked for another call");
}

const CHANGED =
  "its arguments are not those that the result before it asked for. They were edited in the messages, or changed by middleware or a " +
  "setting of the framework, such as experimental_refineToolInput of the AI SDK";
const NOT_PENDING =
  "no result asks for it any more. It may have been called before, has expired, was never asked for, was dropped since the memory for " +
  "waiting hops was full, or was asked for in another process";
