import { canonicalJson } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import type { Admission } from "../types/call-options.ts";
import type { Stage } from "../types/events.ts";
import type { Tool } from "../types/tool.ts";
import { toolChanged } from "./approval.ts";
import { throwIfAborted } from "./call-error.ts";
import { needsApproval } from "./needs-approval.ts";
import { enter, type Passage } from "./passage.ts";
import { untilAborted } from "./until-aborted.ts";

const spent = new WeakSet<Admission>();

/** The stages that an admission has been through. */
const WALKED: readonly Stage[] = ["allow", "arguments", "authorize"];

/**
 * Takes the admission that was given earlier, once and for this very request, through the stages that it has been
 * through. Rejects with its own error, `invalid-options` for another request, or `tool-changed` for another definition.
 */
export async function spendAdmission(passage: Passage, admission: Admission): Promise<void> {
  const { host, request, options, call: own } = passage;
  if (admission.type === "refuse") {
    const last = WALKED.indexOf(admission.stage ?? "resolve");
    if (last >= 0) passage.name = host.find(request.tool).id;
    for (const stage of WALKED.slice(0, last + 1)) enter(passage, stage);
    throw admission.error;
  }
  const { call } = admission;
  const { tool: admitted, arguments: sent, written: args = sent } = call;
  const { signal, context = call.context } = options;
  const news = host.settle(admitted.server);
  if (news !== undefined) await untilAborted(news, signal);
  throwIfAborted(signal, admitted.id);
  if (admission.type === "ask") throw needsApproval(admission);
  const tool = host.find(admitted);
  const asked = host.find(request.tool);
  if (asked.id !== admitted.id || !isSame(args, request.arguments ?? {})) {
    throw misspent(admitted, "was given for another call");
  }
  if (spent.has(admission)) throw misspent(admitted, "was already used");
  spent.add(admission);
  if (tool !== admitted && !isSame(tool, admitted)) {
    throw toolChanged(tool, "its definition has changed since the call was checked");
  }
  const { callId, runId } = own;
  Object.assign(own, call, { tool, signal, callId, runId, context });
  passage.name = tool.id;
  passage.approval = admission.approval;
  for (const stage of WALKED) enter(passage, stage);
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

function misspent({ id }: Tool, why: string): ToolrailError {
  const message = `${id} was not called: its admission ${why}. Call host.check once for each call.`;
  return new ToolrailError("invalid-options", message);
}
