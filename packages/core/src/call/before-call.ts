import { copyJson, quoted } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import type { Tool } from "../types/tool.ts";
import { throwIfAborted } from "./call-error.ts";
import { transformByPlugins } from "./hooks.ts";
import type { Passage } from "./passage.ts";
import { askPolicies, isDestructive } from "./policies.ts";
import { untilAborted } from "./until-aborted.ts";
import { checkArguments } from "./value-checks.ts";

/** Restores the approval that a call had before its server asked something: it still counts. */
export function recallApproval(passage: Passage): void | Promise<void> {
  const { answers } = passage.options;
  return answers && import("./ask-user.ts").then((late) => late.recallApproval(passage, answers));
}

/** Finds the tool by its name, once its server's list is up to date. Refuses what the operator does not allow. */
export function findTool(passage: Passage): void | Promise<void> {
  const { host, request, call, approved } = passage;
  throwIfAborted(call.signal, passage.name);
  const known = host.find(request.tool);
  const isApproved = approved.approved !== undefined;
  const news = isApproved ? host.refresh(known.server) : host.settle(known.server);
  if (news === undefined) return setTool(passage, known);
  return untilAborted(news, call.signal).then(() => setTool(passage, host.find(known)));
}

function setTool(passage: Passage, tool: Tool): void {
  passage.call.tool = tool;
  passage.name = tool.id;
}

/** Refuses tools that are not for the caller: those of the application to models. */
export function allowTool({ call: { tool, origin } }: Passage): void {
  // A model also writes the steps of its pipes.
  const isByPipe = origin.by === "pipe" && origin.author !== "application";
  if ((origin.by !== "model" && !isByPipe) || tool.forModel) return;
  const message = `Tool ${tool.id} can be called only by the application, not by a model (see its _meta.ui.visibility).`;
  throw new ToolrailError("not-allowed", message);
}

/** Replaces the arguments by those of the person who approved the call, and takes their approval of these. */
export function takeChanges(passage: Passage): void | Promise<void> {
  const { changes } = passage.options;
  return changes && import("./change-call.ts").then((late) => late.takeChanges(passage, changes));
}

/** Lets plugins replace the arguments. The arguments that a model wrote are kept as well. */
export async function transformArguments({ host, call }: Passage): Promise<void> {
  Object.assign(call, await transformByPlugins(host.hooks, call));
}

/** Checks that the approval, if there is one, was given for this very call. */
export function compareApproval(passage: Passage): void | Promise<void> {
  const { host, call, approved } = passage;
  const { approved: binding, lostAttempts } = approved;
  if (binding === undefined) {
    if (call.changedFrom) throw new ToolrailError("denied", `${call.tool.id} ${NOT_APPROVED}`);
    return undefined;
  }
  return import("./binding.ts").then(async ({ checkApproval }) => {
    passage.approval = await checkApproval(host, call, { approved: binding, lostAttempts });
  });
}

const NOT_APPROVED =
  "was not called: its arguments were changed, but nobody has approved the change.";

/** Checks the arguments, once: their size, the tool's input schema, and a parser of the application. */
export function checkCallArguments({ host, call }: Passage): void | Promise<void> {
  const checking = checkArguments(host, call);
  // An immutable copy needs no other check after the plugins around the call.
  if (host.hooks.wrapCall) call.arguments = copyJson(call.arguments);
  return checking;
}

/** Asks the caller's gate, the operator's rules and the plugins' rules, in this order. One refusal is enough, and one request for an approval. */
export function authorize(passage: Passage): void | Promise<void> {
  const { host, options } = passage;
  if (options.gate || host.policies.length > 0) return authorizeByRules(passage);
  return decide(passage, "allow");
}

async function authorizeByRules(passage: Passage): Promise<void> {
  const { host, call, options } = passage;
  const verdict = options.gate ? await options.gate(call) : "allow";
  if (ToolrailError.isInstance(verdict)) throw verdict;
  const answer = await askPolicies(host.policies, call);
  throwIfAborted(call.signal, call.tool.id);
  decide(passage, answer === "allow" ? verdict : answer);
}

/** Decides whether a person is asked. If they have approved this very call, they have answered already. */
function decide(passage: Passage, answer: "allow" | "ask" | { readonly ask: string }): void {
  const { host, call, approval } = passage;
  if (approval) return;
  const isApplication = call.origin.by === "application";
  const byDefault = host.asksIfDestructive && !isApplication && isDestructive(call.tool);
  if (answer === "allow" && !byDefault) return;
  const asked = typeof answer === "object" ? answer.ask : undefined;
  const reason = asked ?? (byDefault ? DESTRUCTIVE : undefined);
  passage.asks = reason === undefined ? true : quoted(reason);
}

const DESTRUCTIVE = "its server says that it may delete or overwrite something";

/** Takes the input request that the call continues, with the answers to it. */
export function takeReply(passage: Passage): void | Promise<void> {
  const { answers } = passage.options;
  return answers && import("./ask-user.ts").then((late) => late.takeAnswers(passage, answers));
}
