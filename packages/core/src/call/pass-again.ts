import { canonicalJson } from "@toolrail/json";
import { invalidOptions } from "../errors.ts";
import type { CallOptions, CallRequest, CheckedCall } from "../types/call-options.ts";
import type { Stage } from "../types/events.ts";
import { throwIfAborted } from "./call-error.ts";
import { enter, type HostParts, type Passage } from "./passage.ts";
import { untilAborted } from "./until-aborted.ts";

/** The checks that no call has used. A call takes its check out. */
const unused = new WeakMap<CheckedCall, Passage>();

const PASSED: readonly Stage[] = ["allow", "arguments", "authorize"];

/** Keeps the state of a check for the one call that uses it. */
export function keepCheck<Checked extends CheckedCall>(
  checked: Checked,
  passage: Passage,
): Checked {
  unused.set(checked, passage);
  return checked;
}

/** True if this is an answer of `host.check`, used or not. */
export function isChecked(request: CallRequest | CheckedCall): request is CheckedCall {
  return "type" in request;
}

/** Returns the request of a call, checked or not. Returns `undefined` if its check was used. */
export function requestOf(request: CallRequest | CheckedCall): CallRequest | undefined {
  return isChecked(request) ? unused.get(request)?.request : request;
}

/** The options that only a check takes: a call that passed it would be made without them. */
const CHECKED = ["gate", "approved", "changes", "changedFrom", "conversation"] as const;

/** Adds the options and the run that a call was checked with. Options that are stated now count before them. Throws `invalid-options` for those that come too late. */
export function withChecked(request: CallRequest | CheckedCall, options: CallOptions): CallOptions {
  const passage = isChecked(request) ? unused.get(request) : undefined;
  if (!passage) return options;
  const before: CallOptions = { runId: passage.call.runId, ...passage.options };
  const late = CHECKED.find((name) => (options[name] ?? before[name]) !== before[name]);
  if (late === undefined || (request as CheckedCall).type !== "allow") {
    return { ...before, ...options };
  }
  throw invalidOptions(
    `The call was checked without this \`${late}\`, so it is not made: pass \`${late}\` to host.check.`,
  );
}

/** Takes a check out, so that no second call can use it. Throws its error, or `invalid-options` if it was used or belongs to another host. */
export function takeCheck(host: HostParts, checked: CheckedCall): Passage {
  const passage = unused.get(checked);
  unused.delete(checked);
  if (passage?.host === host) return passage;
  if (checked.type === "refuse") throw checked.error;
  const name = (checked as { call?: { tool?: { id?: string } } }).call?.tool?.id ?? "The tool";
  throw invalidOptions(
    `${name} was not called: its check was used before, or belongs to another host. Call host.check once for each call.`,
  );
}

/**
 * Takes a call through the stages that its check has passed. Rejects with the check's error, with `denied` if it is made for another
 * user, or with `tool-changed` if the tool has changed.
 */
export async function passAgain(
  passage: Passage,
  { checked, before }: { readonly checked: CheckedCall; readonly before: Passage },
): Promise<void> {
  const { host, options, call: current } = passage;
  if (checked.type === "refuse") {
    passage.name = before.name;
    for (const stage of PASSED.slice(0, PASSED.indexOf(before.stage) + 1)) enter(passage, stage);
    throw checked.error;
  }
  const { call } = before;
  const { signal, context = call.context } = options;
  const news = host.settle(call.tool.server);
  if (news !== undefined) await untilAborted(news, signal);
  throwIfAborted(signal, call.tool.id);
  const errors = () => import("./approval-errors.ts");
  if (checked.type === "ask") throw (await errors()).needsApproval(checked);
  if (host.userOf(context) !== host.userOf(call.context))
    throw (await errors()).otherUser(call.tool);
  const tool = host.find(call.tool);
  if (tool !== call.tool && canonicalJson(tool) !== canonicalJson(call.tool)) {
    throw (await errors()).toolChanged(tool);
  }
  const { callId, runId } = current;
  Object.assign(current, call, { tool, signal, callId, runId, context });
  passage.name = tool.id;
  passage.approval = before.approval;
  for (const stage of PASSED) enter(passage, stage);
}
