import type { Host, Tool } from "@toolrail/core";
import { isJsonObject, type JsonObject } from "@toolrail/json";

/**
 * Computes the annotations of a pipe from those of its tools: it is read-only only if they all are. Returns `undefined` if one
 * of its tools is not known now, or if nothing follows. `idempotentHint` never follows, since steps that may be repeated one by
 * one may not be repeatable as a whole.
 */
export function servedHints(host: Host, spec: unknown): JsonObject | undefined {
  const tools = toolNames(spec).map((name) => find(host, name));
  if (tools.length === 0 || tools.some((tool) => tool === undefined)) return undefined;
  const all = (test: (hints: JsonObject) => boolean) =>
    tools.every((tool) => test(tool?.annotations ?? {}));
  const reads = ({ readOnlyHint }: JsonObject) => readOnlyHint === true;
  const hints = {
    ...(all(reads) && { readOnlyHint: true }),
    ...(all((one) => reads(one) || one.destructiveHint === false) && { destructiveHint: false }),
    ...(all((one) => one.openWorldHint === false) && { openWorldHint: false }),
  };
  return Object.keys(hints).length > 0 ? hints : undefined;
}

/** Lists the names of all tools that a spec may call, including those of groups, nested pipes and lists. */
function toolNames(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(toolNames);
  if (!isJsonObject(part)) return [];
  const { tool, steps, parallel, pipe, do: body } = part;
  const inner = [steps, parallel, pipe, body].flatMap(toolNames);
  return typeof tool === "string" ? [tool, ...inner] : inner;
}

function find(host: Host, name: string): Tool | undefined {
  try {
    return host.find(name);
  } catch {
    return undefined;
  }
}
