import type { HostReport } from "../types/events.ts";

const WARNINGS: { readonly [Code in Extract<HostReport, { type: "warning" }>["code"]]?: string } = {
  "not-kept":
    "A model was given a long result in full: pass a `conversation` with the call, or check the store.",
  "nobody-listens":
    "Content of a result for the user alone was lost, since nothing shows it: set `onHop` of the host or of the tools, or `onResult` of the tools.",
  "no-approval-secret":
    "A run of the AI SDK may ask a person, and its approvals are not signed: set `experimental_toolApprovalSecret`.",
  "no-host-tools":
    "An agent with `chainMiddleware` has no tool of its host: write `tools: createTools(host)`, with the same host.",
  "unsigned-approval":
    "A call was made on an approval that is not signed: set `experimental_toolApprovalSecret`.",
};

/** Describes an event in a sentence, for people who read a log. The text holds no arguments and no results. */
export function eventText(event: HostReport): string {
  switch (event.type) {
    case "call": {
      const { tool, stage, outcome, code, isError } = event;
      const how = outcome === "refused" ? "was refused" : "failed";
      if (outcome !== "ok") return `The call of ${tool} ${how} at the stage "${stage}" (${code}).`;
      const end = isError ? ", and its server reported an error" : "";
      if (stage === "record") return `The call of ${tool} was answered${end}.`;
      return `The call of ${tool} passed the stage "${stage}".`;
    }
    case "chain-started":
      return "A chain of calls began.";
    case "chain-ended":
      return `A chain ended after ${count(event.hops, "call")} (${event.ended}).`;
    case "not-followed":
      return `A result asks for a call of ${event.tool}, which was not made, since a step of a pipe makes only one call.`;
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
      if (event.code === "listener-failed")
        return `The listener ${event.listener} threw an error, which stops nothing, since the call was made: catch the errors in it.`;
      if (event.code === "guard-offers-less")
        return `A guard offers less than \`allow\` names: ${event.about}`;
      return WARNINGS[event.code] ?? event.code;
    case "server":
      if (event.state === "needs-sign-in")
        return `The server "${event.server}" asks the user to sign in.`;
      return event.state === "lost"
        ? `The connection to the server "${event.server}" was lost.`
        : `The server "${event.server}" was connected.`;
    case "store-full":
      return "The default store was full and dropped a value that was still needed: raise `limits.maxStoreBytes` or `limits.maxConversationBytes`, or pass a `store`.";
    case "tools-changed":
      return `The server "${event.server}" has changed its list of tools.`;
    case "problem": {
      const { server, tool, code, message } = event.problem;
      const what = tool === undefined ? `server "${server}"` : `tool ${server}.${tool}`;
      return message ?? `There is a problem with the ${what} (${code}): see host.problems.`;
    }
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
