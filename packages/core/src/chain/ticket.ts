import { type ToolRef, toolId } from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { PendingCall } from "../result/chain-result.ts";
import { isCall } from "../result/hop.ts";
import { callText } from "./next-hop.ts";

/** A hop that a result asked for and that is still to be made. Plain JSON, to be kept by the framework. */
export interface HopTicket {
  /** The id under which the framework knows the call: see `hopId`. */
  readonly id: string;
  readonly runId: string;
  /** The framework's id of the model's call that the chain began with. */
  readonly root: string;
  /** The place of the hop, the same in every worker that takes it. */
  readonly place: string;
  readonly call: PendingCall;
  /** A hash of each call that the chain has made before this one. */
  readonly seen: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

const PREFIX = "hop-";

/** The id of the hop that follows from a call: 40 characters where ids are UUIDs, as providers allow. */
export function hopId(callId: string): string {
  return PREFIX + callId;
}

/** True for an id that only a hop may have. A call with such an id never runs without its ticket. */
export function isHopId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** True for what a store or a state gives back of a ticket. */
export function isHopTicket(value: unknown): value is HopTicket {
  if (!isJsonObject(value)) return false;
  const { id, runId, root, place, call, seen, expiresAtMs } = value;
  return (
    [id, runId, root, place].every((text) => typeof text === "string") &&
    typeof expiresAtMs === "number" &&
    isCall(call) &&
    Array.isArray(seen)
  );
}

/** Why a call is not the hop of this ticket, or `undefined` where it is and may be made now. */
export function ticketDefect(
  ticket: HopTicket | undefined,
  call: ToolRef & { readonly arguments: JsonObject; readonly nowMs: number },
): ToolrailError | undefined {
  const refuse = (why: string) =>
    new ToolrailError("unknown-hop", `${toolId(call)} was not called: ${why}.`);
  if (!ticket || ticket.expiresAtMs <= call.nowMs) return refuse(NO_TICKET);
  if (callText(ticket.call) === callText({ ...call, tool: call.name })) return undefined;
  return refuse("the result before it asked for another call");
}

const NO_TICKET =
  "no result asks for it any more. It has run, has expired, was never asked for, or was asked for in " +
  "another process: give all hosts the same `store` if chains continue across processes";
