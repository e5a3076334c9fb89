import type { HostReport } from "../types/events.ts";

const WARNINGS: { readonly [Code in Extract<HostReport, { type: "warning" }>["code"]]?: string } = {
  "not-kept":
    "A long result went to a model in full: state a `conversation` with the call, or check the store.",
  "nobody-listens":
    "What a result says to the user alone was lost: give the host or the tools `onHop`, or the tools `onResult`.",
  "no-approval-secret":
    "A run of the AI SDK may ask a person, and its approvals are not signed: set `experimental_toolApprovalSecret`.",
  "unsigned-approval":
    "A call was made on an approval that is not signed: set `experimental_toolApprovalSecret`.",
};

/** Says what happened in a sentence, for people who read a log. It holds no arguments and no results. */
export function eventText(event: HostReport): string {
  switch (event.type) {
    case "call": {
      const { tool, stage, outcome, code, isError } = event;
      if (outcome !== "ok") return `The call of ${tool} ${outcome} at "${stage}" (${code}).`;
      const end = isError ? ", and its server reported an error" : "";
      if (stage === "record") return `The call of ${tool} was answered${end}.`;
      return `The call of ${tool} passed "${stage}".`;
    }
    case "chain-started":
      return "A chain of calls began.";
    case "chain-ended":
      return `A chain ended after ${count(event.hops, "call")} (${event.ended}).`;
    case "not-followed":
      return `A result asks for a call of ${event.tool}, which was not made: a step of a pipe makes one call.`;
    case "rule-skipped":
      return `The rule "${event.rule}" did not apply after ${event.tool}: ${event.reason}.`;
    case "guard":
      return event.stage === "started"
        ? "A guarded query began its call."
        : `A guarded query ended with "${event.verdict}" (${event.code}).`;
    case "pipe":
      if (event.stage === "started") return `A pipe of ${count(event.steps, "step")} began.`;
      return `A pipe ${event.ok ? "ended" : "failed"} after ${count(event.calls, "call")}.`;
    case "step":
      if (event.stage === "started") return `The step ${event.path} began.`;
      return `The step ${event.path} ${event.ok ? "ended" : "failed"}.`;
    case "warning":
      return WARNINGS[event.code] ?? event.code;
    case "server":
      if (event.state === "needs-sign-in")
        return `The server "${event.server}" asks for a sign-in.`;
      return `The server "${event.server}" was ${event.state}.`;
    case "store-full":
      return "The default store was full, and dropped a value that was still needed: raise `limits.maxStoreBytes` or `limits.maxConversationBytes`, or pass a `store`.";
    case "tools-changed":
      return `The server "${event.server}" has changed its list of tools.`;
    case "problem": {
      const { server, tool, code, message } = event.problem;
      const what = tool === undefined ? `server "${server}"` : `tool ${server}.${tool}`;
      return message ?? `There is a problem with the ${what} (${code}): host.problems says why.`;
    }
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
