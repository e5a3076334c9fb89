import type { Hop, Host } from "@toolrail/core";
import { modelView } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import { findIds, type KeptResult, partsOf } from "@toolrail/core/references";
import { type JsonObject, measure } from "@toolrail/json";
import { PIPE_TOOL_NAME } from "../compile/compile-tool-step.ts";
import type { PipeResult } from "../run/results.ts";
import type { PipeSpec } from "../spec/spec.ts";
import type { Origins } from "../types.ts";
import { type PipeReply, toPipeReply } from "./reply.ts";

interface Keeping {
  readonly scope: string | undefined;
  readonly toolCallId?: string | undefined;
}

/** Most kept results that one spec may refer to. */
const MAX_IDS = 20;
const MAX_SPEC = { maxBytes: 1_048_576, maxDepth: 64 };

/** Kept results by their ids. */
export type KeptById = { readonly [id: string]: KeptResult };

/** The kept results of a scope that a model's spec names: they are vars of its pipe. */
export async function findKept(
  host: Host,
  { spec, scope }: { readonly spec: unknown; readonly scope: string | undefined },
): Promise<KeptById> {
  const { kept } = engineOf(host);
  if (!kept || !scope || measure(spec, MAX_SPEC)) return {};
  const ids = findIds(JSON.stringify(spec) ?? "").slice(0, MAX_IDS);
  const found = await Promise.all(ids.map((id) => kept.find(scope, id)));
  const entries = found.flatMap((one, at) => (one?.result ? [[ids[at], one.result]] : []));
  return Object.fromEntries(entries);
}

/** The vars of a pipe, kept results included, and where those came from. One that the spec has itself goes before. */
export function varsOf({ vars = {} }: Pick<PipeSpec, "vars">, kept: KeptById = {}) {
  const entries = Object.entries(kept).filter(([id]) => !Object.hasOwn(vars, id));
  const parts = entries.map(([id, result]) => [id, partsOf(result)]);
  const origins: Origins = Object.fromEntries(
    entries.map(([id, { server, tool, callId }]) => {
      return [`vars.${id}`, [{ server, tool, callId, path: "", how: "reference" }]];
    }),
  );
  return { vars: { ...Object.fromEntries(parts), ...vars } as JsonObject, origins };
}

/** The reply of `mcp_pipe` to a run, with a long result kept: the model reads its beginning or its shape, and its address. */
export async function keepReply(
  host: Host,
  whole: PipeResult,
  { scope, toolCallId: callId = "" }: Keeping,
): Promise<PipeReply> {
  const reply = toPipeReply(whole);
  const { result } = reply;
  const isText = typeof result === "string";
  const content = isText ? [{ type: "text", text: result }] : [];
  const structuredContent = isText ? undefined : (result ?? undefined);
  const hop = await host.keep<Hop>(
    { ...MADE, callId, result: { content, structuredContent } },
    { scope },
  );
  const read = () => modelView(hop).content.map(({ text }) => text);
  return hop.kept === undefined ? reply : { ...reply, result: read().join("\n") };
}

/** What a pipe brought, as if a call had. */
const MADE = {
  server: "",
  tool: PIPE_TOOL_NAME,
  runId: "",
  arguments: {},
  origin: { by: "model" },
  output: { status: "unchecked" },
  startedAtMs: 0,
  durationMs: 0,
} as const;

/** A result as a framework is to keep it: where it is long and kept by address, it holds no step. */
export function withoutLongSteps(
  host: Host,
  result: PipeResult,
  { reply, scope }: Keeping & { readonly reply: PipeReply },
): PipeResult {
  const { kept } = engineOf(host);
  if (!kept || !scope) return result;
  const isLong = measure(result, { maxBytes: kept.minLength, maxDepth: 512 }) !== undefined;
  return isLong ? { ok: result.ok, error: result.error, result: reply.result, steps: {} } : result;
}
