import { type Hop, isWidget } from "../result/hop.ts";
import type { Hooks } from "./hooks.ts";
import { notify } from "./notify.ts";
import { enter, type Passage, report } from "./passage.ts";
import { untilAborted } from "./until-aborted.ts";
import { checkOutput } from "./value-checks.ts";

/** Checks the output by the tool's schema, and by a parser of the application. */
export function checkResult(passage: Passage): void | Promise<void> {
  const { host, call, answer } = passage;
  if (!answer) return undefined;
  const keep = (output: Hop["output"]) => {
    const isShown = output.status === "invalid" && host.showsInvalid.has(call.tool.server);
    passage.output = isShown ? { ...output, shown: true } : output;
  };
  const output = checkOutput(host, { tool: call.tool, result: answer.result });
  return output instanceof Promise ? output.then(keep) : keep(output);
}

/** Records the call as a hop, and passes it to the listeners. */
export function recordCall(passage: Passage): void | Promise<void> {
  const { host, call, answer, output } = passage;
  if (!answer || !output) return undefined;
  const { result } = answer;
  const isOwn = answer.callId === call.callId;
  if (isOwn) {
    enter(passage, "record");
    report(passage, "ok", { isError: result.isError === true });
  } else report(passage, "ok", { madeBefore: true });
  const { runId, tool, arguments: args, written, changedFrom, origin } = call;
  passage.hop = {
    ...answer,
    runId,
    server: tool.server,
    tool: tool.name,
    arguments: args,
    origin,
    output,
    ...(written && { written }),
    ...(changedFrom && { changedFrom }),
    ...(!isOwn && { madeBefore: true }),
    ...(isWidget(result, tool.meta) && { isWidget: true }),
  };
  const { onHop } = host.hooks;
  return onHop && notifyPlugins(onHop, { hop: passage.hop, signal: call.signal });
}

/** Passes a finished call to the plugins, and waits for them. Their errors are dropped. */
async function notifyPlugins(
  onHop: NonNullable<Hooks["onHop"]>,
  { hop, signal }: { readonly hop: Hop; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const { origin } = hop;
  // Only the first call of a chain answers the model's tool call. The later calls have no id of one.
  const toolCallId = origin.by === "model" ? origin.toolCallId : undefined;
  const notified = Promise.all(
    onHop.map((listener) => notify(listener, { toolCallId, hop }, Number.POSITIVE_INFINITY)),
  );
  await untilAborted(notified, signal).catch(() => {});
}
