import type { CallToolResult, ContentBlock, Host, McpPort, Tool } from "@toolrail/core";
import { ToolrailError } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { buildInputRequests, DEPTH, KEY_META, readDecisions } from "@toolrail/core/internal";
import { engineOf } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject } from "@toolrail/json";
import { findStepTool } from "./compile/compile-tool-step.ts";
import { DEFAULT_PIPE_LIMITS } from "./limits.ts";
import { findAsks } from "./run/paused-pipe.ts";
import { resumePipe, runPipe } from "./run/run-pipe.ts";
import type { PausedPipe, PipeFlow, PipeResult } from "./types.ts";

/** A pipe by the operator that is offered as a tool. */
export interface ServedPipe {
  readonly description: string;
  /** The spec. The arguments of the tool replace its `vars`. */
  readonly spec: unknown;
  /** Conditions, lists and expressions in the spec: see `flow()`. Default: none. */
  readonly flow?: PipeFlow | undefined;
  /** The JSON Schema of the tool's arguments. Default: no arguments. */
  readonly inputSchema?: JsonObject;
  /** The JSON Schema of the tool's result. The guard calls no tool without one, unless a parser is registered. */
  readonly outputSchema?: JsonObject;
}

/** The pipes to offer as tools, by the names of the tools. */
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
 * Creates a server that offers the operator's pipes as tools of their host: `servers: { pipe: (host) => pipeServer(host, pipes)
 * }`. A call runs all steps, each with the same checks, and follows no `nextTool` of a step. A step may call another pipe, at
 * most five deep. A step that needs a person becomes a form for the user, and the pipe continues with the answer. A pipe has
 * only the annotations that its tools allow: it is read-only if they all are. `_meta.pipe` of the result is the whole
 * `PipeResult`. Throws `invalid-options` for a name that models cannot use.
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
      const annotations = pipeHints(host, spec);
      return { name, inputSchema: NOTHING, ...tool, ...(annotations && { annotations }) };
    });
  return {
    list: async () => ({ tools: list() }),
    // The annotations depend on the tools of other servers.
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
      const given = { signal, context, conversation, flow };
      const limits = { runTimeoutMs: Math.max(1, Math.floor(totalTimeoutMs)) };
      const key = typeof meta?.[KEY_META] === "string" ? meta[KEY_META] : undefined;
      let result: PipeResult;
      if (id === undefined) {
        result = await runPipe(host, { spec, vars, limits, key, pauses: true, ...given });
      } else {
        // If the answers cannot be read, the pipe keeps waiting.
        const answers = readDecisions(await findAsks(host, { id, conversation }), inputResponses);
        result = await resumePipe(host, { id, answers: answers ?? {}, ...given });
      }
      signal.throwIfAborted();
      return result.paused ? toInputRequired(result.paused) : toResult(result);
    },
  };
}

/**
 * Computes the annotations of a pipe from those of its tools: it is read-only only if they all are. Returns `undefined` if one
 * of its tools is not known now, or if nothing follows. `idempotentHint` never follows, since steps that may be repeated one by
 * one may not be repeatable as a whole.
 */
function pipeHints(host: Host, spec: unknown): JsonObject | undefined {
  const tools = toolNames(spec).map((name) => findStepTool(name, { host, author: "application" }));
  if (tools.length === 0 || tools.some((tool) => typeof tool === "string")) return undefined;
  const hints = (tools as readonly Tool[]).map(({ annotations = {} }) => annotations);
  const isReading = ({ readOnlyHint }: JsonObject) => readOnlyHint === true;
  const all = {
    ...(hints.every(isReading) && { readOnlyHint: true }),
    ...(hints.every((own) => isReading(own) || own.destructiveHint === false) && {
      destructiveHint: false,
    }),
    ...(hints.every(({ openWorldHint }) => openWorldHint === false) && { openWorldHint: false }),
  };
  return Object.keys(all).length > 0 ? all : undefined;
}

/** Lists the names of all tools that a spec may call, including those of groups, nested pipes and lists. */
function toolNames(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(toolNames);
  if (!isJsonObject(part)) return [];
  const { tool, steps, parallel, pipe, do: body } = part;
  const inner = [steps, parallel, pipe, body].flatMap(toolNames);
  return typeof tool === "string" ? [tool, ...inner] : inner;
}

/** Converts a waiting pipe to a result that requires input: a form for each waiting step (MCP 2026-07-28). */
function toInputRequired({ id, asks }: PausedPipe): JsonObject {
  const inputRequests = buildInputRequests(asks);
  return { resultType: "input_required", inputRequests, requestState: id };
}

/** Creates the signal for the steps of a pipe. It follows the call's signal and carries the depth of the pipe. */
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
