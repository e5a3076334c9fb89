import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure, weigh } from "../json/json.ts";
import type { Address } from "../result/address.ts";
import type { Limits } from "../types/limits.ts";
import type { Tool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { readAddress, replaceAddresses } from "./address.ts";
import { type Finding, type KeptResults, readKept } from "./kept-results.ts";

const MAX_ADDRESSES = 20;

type WrittenCall = Pick<ToolCall, "tool" | "arguments" | "conversation">;

/**
 * Replaces the addresses in a model's arguments by their values, each once. Returns `undefined` if there is none of this
 * conversation. Unknown addresses remain text. Throws `reference-lost`, and `invalid-arguments` for too many addresses or too
 * large values.
 */
export async function resolveReferences(
  { kept, limits }: { readonly kept: KeptResults; readonly limits: Limits },
  call: WrittenCall,
): Promise<JsonObject | undefined> {
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
  let left = maxBytes;
  const read = (place: AddressPlace): unknown => {
    const { address, asText } = place;
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
    return value;
  };
  return mapAddresses(written, { schema, read }) as JsonObject;
}

function refusal({ id }: Tool, why: string): ToolrailError {
  return new ToolrailError("invalid-arguments", `The arguments of ${id} were not sent: ${why}.`);
}

function lost({ id }: Tool, why: string): ToolrailError {
  return new ToolrailError("reference-lost", `${id} was not called: ${why}.`);
}

interface AddressPlace {
  readonly address: Address;
  readonly asText: boolean;
}

interface Mapping {
  /** The schema of the value, as far as known. */
  readonly schema: unknown;
  /** Returns the value that replaces an address, or `undefined` to keep it unchanged. */
  read(place: AddressPlace): unknown;
}

/** Copies arguments and replaces each address by the result of `read`, which is not searched again. Measure their depth first. */
function mapAddresses(value: unknown, { schema, read }: Mapping): unknown {
  const whole = wholeAddress(value);
  const found = whole && read({ address: whole, asText: isTextAlone(schema) });
  if (found !== undefined) return found;
  if (typeof value === "string") {
    return replaceAddresses(value, (address) => {
      const inside = read({ address, asText: true });
      return inside === undefined ? undefined : String(inside);
    });
  }
  const { items, properties, additionalProperties } = Object(schema);
  const known = Object(properties);
  const map = (inner: unknown, own: unknown) => mapAddresses(inner, { schema: own, read });
  if (Array.isArray(value)) return value.map((inner) => map(inner, items));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, inner]) => {
    return [key, map(inner, Object.hasOwn(known, key) ? known[key] : additionalProperties)];
  });
  return Object.fromEntries(members);
}

/** Reads an address that is a whole value, as a text or as `{ "$ref": … }`. It may be bare there. */
function wholeAddress(value: unknown): Address | undefined {
  if (typeof value === "string") return readAddress(value);
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const { $ref } = value;
  return typeof $ref === "string" ? (readAddress($ref) ?? readAddress(`{${$ref}}`)) : undefined;
}

function isTextAlone(schema: unknown): boolean {
  const types: unknown[] = [Object(schema).type].flat();
  return types.includes("string") && types.every((type) => type === "string" || type === "null");
}
