import type { CallToolResult, ContentBlock, Host, McpPort } from "@toolrail/core";
import { ToolrailError } from "@toolrail/core";
import { createOptionCheck, engineOf } from "@toolrail/core/adapter";
import { DEPTH, decisionsOf, inputRequestsOf, KEY_META } from "@toolrail/core/internal";
import type { JsonObject } from "@toolrail/json";
import { DEFAULT_PIPE_LIMITS } from "./limits.ts";
import { findAsks } from "./run/paused-pipe.ts";
import { type ResumePipeOptions, resumePipe, runPipe } from "./run/run-pipe.ts";
import { servedHints } from "./served-hints.ts";
import type { PausedPipe, PipeFlow, PipeResult } from "./types.ts";

/** A pipe that the operator wrote, offered as one tool. */
export interface ServedPipe {
  readonly description: string;
  /** The spec. The arguments of the tool take the place of its `vars`. */
  readonly spec: unknown;
  /** Conditions, lists and expressions in the spec: see `flow()`. Default: none. */
  readonly flow?: PipeFlow | undefined;
  /** The arguments of the tool. Default: none. */
  readonly inputSchema?: JsonObject;
  /** The shape of its result. The guard calls no tool without one, unless a parser is registered. */
  readonly outputSchema?: JsonObject;
}

/** Pipes by the name of their tool. */
export type ServedPipes = { readonly [name: string]: ServedPipe };

const checkServed = /* @__PURE__ */ createOptionCheck<ServedPipe>("pipeServer", {
  description: "text",
  spec: "any",
  flow: "object",
  inputSchema: "object",
  outputSchema: "object",
});

const NOTHING: JsonObject = { type: "object", properties: {}, additionalProperties: false };

/**
 * Pipes of the operator as a server of their own host: `servers: { pipe: (host) => pipeServer(host, pipes) }`.
 * A call runs all steps, each with the same checks, and no `nextTool` of a step is followed. A step may call
 * another of the pipes, five deep at most. A step that needs a person becomes a form that the call asks the user with, and
 * the pipe goes on with the answer. A pipe has the annotations that follow from its tools: it only reads if all of them do.
 * The result's `_meta.pipe` is the whole `PipeResult`. Throws `invalid-options` for a name that models cannot use.
 */
export function pipeServer(host: Host, pipes: ServedPipes): McpPort {
  const illegal = Object.keys(pipes).find((name) => !/^[A-Za-z0-9_-]{1,64}$/.test(name));
  if (illegal !== undefined) {
    const message = `A pipe cannot be named "${illegal}": use 1 to 64 letters, digits, "_" and "-".`;
    throw new ToolrailError("invalid-options", message);
  }
  for (const [name, pipe] of Object.entries(pipes)) checkServed(pipe, `The pipe "${name}"`);
  const list = () =>
    Object.entries(pipes).map(([name, { spec, flow: _, ...tool }]) => {
      const annotations = servedHints(host, spec);
      return { name, inputSchema: NOTHING, ...tool, ...(annotations && { annotations }) };
    });
  return {
    list: async () => ({ tools: list() }),
    // The annotations follow from the tools of other servers.
    watch(listener) {
      let known = JSON.stringify(list());
      return engineOf(host).watchTools(() => {
        const now = JSON.stringify(list());
        if (now === known) return;
        known = now;
        listener();
      });
    },
    mayAsk: () => true,
    async call({ name, arguments: vars, meta, inputResponses, requestState: id }, options) {
      const { totalTimeoutMs, context, conversation } = options;
      const signal = deeper(options.signal);
      const { spec, flow } = pipes[name] ?? {};
      const who = { signal, context, conversation, flow };
      const limits = { runTimeoutMs: Math.max(1, Math.floor(totalTimeoutMs)) };
      const given = meta?.[KEY_META];
      const key = typeof given === "string" ? given : undefined;
      const result =
        id === undefined
          ? await runPipe(host, { spec, vars, limits, key, pauses: true, ...who })
          : await answerPipe(host, { id, responses: inputResponses, ...who });
      signal.throwIfAborted();
      return result.paused ? toInputRequired(result.paused) : toResult(result);
    },
  };
}

type Going = Omit<ResumePipeOptions, "answers">;

/** Goes on with a pipe as the answers to its forms say. It waits as before where one of them cannot be read. */
async function answerPipe(
  host: Host,
  { responses, ...going }: Going & { readonly responses: unknown },
): Promise<PipeResult> {
  const answers = decisionsOf(await findAsks(host, going), responses) ?? {};
  return resumePipe(host, { ...going, answers });
}

/** What a pipe that waits answers its call with: the forms for all steps that wait (MCP 2026-07-28). */
function toInputRequired({ id, asks }: PausedPipe): JsonObject {
  const inputRequests = inputRequestsOf(asks);
  return { resultType: "input_required", inputRequests, requestState: id };
}

/** A signal for the steps of a pipe. It follows that of the call, and tells how many pipes are around them. */
function deeper(outer: AbortSignal | undefined): AbortSignal {
  const depth = ((outer as { readonly [DEPTH]?: number } | undefined)?.[DEPTH] ?? 0) + 1;
  if (depth > DEFAULT_PIPE_LIMITS.maxDepth + 1) {
    const message = `Pipes of this server call each other more than ${depth - 2} levels deep. Does one of them call itself?`;
    throw new ToolrailError("pipe-limit", message);
  }
  const signal = AbortSignal.any(outer ? [outer] : []);
  return Object.defineProperty(signal, DEPTH, { value: depth });
}

function toResult(pipe: PipeResult): CallToolResult {
  const _meta = { pipe: pipe as unknown as JsonObject };
  const { ok, error, result, result_for_model: shown } = pipe;
  if (!ok) return { content: [{ type: "text", text: error }], isError: true, _meta };
  if (shown === undefined) return { content: [], structuredContent: result, _meta };
  const content = [textFor("user", result), textFor("assistant", shown)];
  return { content, structuredContent: shown, _meta };
}

function textFor(reader: "user" | "assistant", value: unknown): ContentBlock {
  return { type: "text", text: JSON.stringify(value), annotations: { audience: [reader] } };
}
