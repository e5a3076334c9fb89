import type { NextHop } from "../chain/next-hop.ts";
import type { Host } from "../host/create-host.ts";
import type { Hop } from "../result/hop.ts";
import type { GuardOutcome } from "./guard-outcome.ts";

/**
 * Judges the hop of a guarded call: its output counts as typed where `structuredContent` is present, the
 * server did not say `isError`, and the output schema and the registered parser accept it.
 */
export function judgeHop(hop: Hop, nextHop: Host["nextHop"]): GuardOutcome {
  const name = `${hop.server}.${hop.tool}`;
  const next = nextHop(hop);
  const asked = next.type === "call" ? next.call : next.pending;
  const made = { verdict: "allow", hop, ...(asked && { notFollowed: asked }) } as const;
  const say = (text: string) => [text, ...noteOn(next)].join(" ");
  const { result, output } = hop;
  const raw = "Its raw result is kept, and no model has read it.";
  if (result.isError === true) {
    return { ...made, code: "tool-error", message: say(`${name} reported an error. ${raw}`) };
  }
  if (result.structuredContent === undefined || output.status !== "valid") {
    const why = output.status === "invalid" ? output.message : `${name} sent no checked output`;
    return { ...made, code: "untyped-output", message: say(`${why}. ${raw}`) };
  }
  return { ...made, code: "complete", message: say(`${name} was called.`), value: output.value };
}

/** A `nextTool` is reported, whether or not a chain would have followed it. */
function noteOn(next: NextHop): string[] {
  if (next.type === "end") return next.error ? [next.error.message] : [];
  const { server, tool } = next.call;
  return [`Its result asks for ${server}.${tool}: a guarded query makes one call.`];
}
