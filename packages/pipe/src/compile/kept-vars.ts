import type { Host } from "@toolrail/core";
import { engineOf } from "@toolrail/core/plugin";
import { type JsonObject, measure } from "@toolrail/json";
import type { PipeSpec } from "../spec/spec.ts";

/** The maximum number of stored results that one spec may refer to. */
const MAX_IDS = 20;
const MAX_SPEC = { maxBytes: 1_048_576, maxDepth: 64 };

/** The values that paths read of stored results, by the ids of these. */
export type KeptById = { readonly [id: string]: JsonObject };

/** Finds the stored results of a conversation that a model's spec names. They become vars of its pipe. */
export async function findKept(
  host: Host,
  { spec, conversation }: { readonly spec: unknown; readonly conversation: string | undefined },
): Promise<KeptById> {
  const { kept } = engineOf(host).services;
  if (!kept || conversation === undefined || measure(spec, MAX_SPEC)) return {};
  const ids = kept.idsIn(JSON.stringify(spec) ?? "").slice(0, MAX_IDS);
  const found = await Promise.all(ids.map((id) => kept.find(conversation, id)));
  const entries = found.flatMap((one, at) =>
    one?.result ? [[ids[at], kept.partsOf(one.result)]] : [],
  );
  return Object.fromEntries(entries);
}

/** Joins the vars of a pipe and the stored results. The spec's own vars come first. */
export function joinVars({ vars = {} }: Pick<PipeSpec, "vars">, kept: KeptById = {}): JsonObject {
  return { ...kept, ...vars };
}
