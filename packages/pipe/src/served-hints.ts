import type { Host, Tool } from "@toolrail/core";
import { isJsonObject, type JsonObject } from "@toolrail/json";

/**
 * The annotations of a pipe, as far as those of its steps' tools promise something: it only reads if all of them do. `undefined`
 * if one of its tools is not known now, or if nothing follows. Steps that may be repeated one by one may not be as a whole, so
 * `idempotentHint` does not follow.
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

/** The names of all tools that a spec may call, those of groups, nested pipes and lists included. */
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
