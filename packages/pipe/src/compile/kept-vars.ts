import type { Host } from "@toolrail/core";
import type { UsedReference } from "@toolrail/core/plugin";
import { engineOf } from "@toolrail/core/plugin";
import { type JsonObject, measure } from "@toolrail/json";
import type { PipeSpec } from "../spec/spec.ts";
import type { Origins } from "../types.ts";

/** The maximum number of stored results that one spec may refer to. */
const MAX_IDS = 20;
const MAX_SPEC = { maxBytes: 1_048_576, maxDepth: 64 };

/** Stored results by their ids, each with its origin and the value that a path reads. */
export type KeptById = {
  readonly [id: string]: Pick<UsedReference, "server" | "tool" | "callId"> & {
    readonly parts: JsonObject;
  };
};

/** Finds the stored results of a conversation that a model's spec names. They become vars of its pipe. */
export async function findKept(
  host: Host,
  { spec, conversation }: { readonly spec: unknown; readonly conversation: string | undefined },
): Promise<KeptById> {
  const { kept } = engineOf(host).services;
  if (!kept || conversation === undefined || measure(spec, MAX_SPEC)) return {};
  const ids = kept.idsIn(JSON.stringify(spec) ?? "").slice(0, MAX_IDS);
  const found = await Promise.all(ids.map((id) => kept.find(conversation, id)));
  const entries = found.flatMap((one, at) => {
    if (!one?.result) return [];
    const { server, tool, callId } = one.result;
    return [[ids[at], { server, tool, callId, parts: kept.partsOf(one.result) }]];
  });
  return Object.fromEntries(entries);
}

/** Joins the vars of a pipe and the stored results, and finds their sources. The spec's own vars come first. */
export function joinVars({ vars = {} }: Pick<PipeSpec, "vars">, kept: KeptById = {}) {
  const entries = Object.entries(kept).filter(([id]) => !Object.hasOwn(vars, id));
  const parts = entries.map(([id, result]) => [id, result.parts]);
  const origins: Origins = Object.fromEntries(
    entries.map(([id, { server, tool, callId }]) => {
      return [`vars.${id}`, [{ server, tool, callId, path: "", how: "reference" }]];
    }),
  );
  return { vars: { ...Object.fromEntries(parts), ...vars } as JsonObject, origins };
}
