import { type Limits, type Tool, type ToolCall, ToolrailError } from "@toolrail/core";
import type { Finding, KeptResults, ResolvedArguments, UsedReference } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject, measure, shorten, weigh } from "@toolrail/json";
import { readKept } from "./kept-result.ts";
import { type AddressPlace, mapAddresses } from "./map-addresses.ts";

const MAX_ADDRESSES = 20;
const MAX_PREVIEW = 300;

type WrittenCall = Pick<ToolCall, "tool" | "arguments" | "conversation">;

/**
 * Replaces the addresses in a model's arguments by their values, each once. Returns `undefined` if there is none of this
 * conversation. Unknown addresses remain text. Throws `reference-lost`, and `invalid-arguments` for too many addresses or too
 * large values.
 */
export async function resolveReferences(
  { kept, limits }: { readonly kept: KeptResults; readonly limits: Limits },
  call: WrittenCall,
): Promise<ResolvedArguments | undefined> {
  const { tool, arguments: written, conversation } = call;
  const { maxArgumentBytes: maxBytes, maxValueDepth: maxDepth } = limits;
  // The check of the arguments refuses those that are too large.
  if (!conversation || !isJsonObject(written) || measure(written, { maxBytes, maxDepth }))
    return undefined;
  const schema = tool.inputSchema;
  const places: AddressPlace[] = [];
  const note = (place: AddressPlace) => {
    places.push(place);
    return "";
  };
  mapAddresses(written, { schema, read: note });
  if (places.length === 0) return undefined;
  const found = new Map<string, Finding | undefined>();
  for (const id of new Set(places.map(({ address }) => address.id))) {
    found.set(id, await kept.find(conversation, id));
  }
  const known = places.filter(({ address }) => found.get(address.id));
  if (known.length === 0) return undefined;
  if (known.length > MAX_ADDRESSES) {
    const why = `they contain ${known.length} addresses of kept results; at most ${MAX_ADDRESSES} are allowed`;
    throw refusal(tool, why);
  }
  const references: UsedReference[] = [];
  let left = maxBytes;
  const read = (place: AddressPlace): unknown => {
    const { address, path, asText } = place;
    const finding = found.get(address.id);
    if (!finding) return undefined;
    const { result } = finding;
    if (!result) {
      throw lost(tool, `the result ${address.id} is no longer kept. Call ${finding.tool} again`);
    }
    const reading = readKept(result, { ...address, asText });
    if (!reading.found) throw lost(tool, `${address.text} cannot be read: ${reading.message}`);
    const isText = asText && typeof reading.value !== "string";
    const value = isText ? JSON.stringify(reading.value) : reading.value;
    const weight = weigh(value, { maxBytes: left, maxDepth });
    if (typeof weight === "string") {
      throw refusal(tool, `with ${address.text} inserted, they are larger than ${maxBytes} bytes`);
    }
    left -= weight;
    const preview = shorten(typeof value === "string" ? value : JSON.stringify(value), MAX_PREVIEW);
    const { server, tool: name, callId } = result;
    const whole = { path, address: address.text, server, tool: name, callId, preview };
    references.push(place.isInside ? { ...whole, part: true } : whole);
    return value;
  };
  const built = mapAddresses(written, { schema, read }) as JsonObject;
  return { arguments: built, written, references };
}

function refusal({ id }: Tool, why: string): ToolrailError {
  return new ToolrailError("invalid-arguments", `The arguments of ${id} were not sent: ${why}.`);
}

function lost({ id }: Tool, why: string): ToolrailError {
  return new ToolrailError("reference-lost", `${id} was not called: ${why}.`);
}
