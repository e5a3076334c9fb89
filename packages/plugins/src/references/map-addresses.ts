import type { Address } from "@toolrail/core/plugin";
import { isJsonObject, joinKey } from "@toolrail/json";
import { readAddress, replaceAddresses } from "./address.ts";

export interface AddressPlace {
  readonly address: Address;
  /** The argument with the address: `rows.0.name`. */
  readonly path: string;
  readonly isInside: boolean;
  /** True if the value must be a text. */
  readonly asText: boolean;
}

interface Mapping {
  /** The schema of the value, as far as known. */
  readonly schema: unknown;
  readonly path?: string;
  /** Returns the value that replaces an address, or `undefined` to keep it unchanged. */
  read(place: AddressPlace): unknown;
}

/** Copies arguments and replaces each address by the result of `read`, which is not searched again. Measure their depth first. */
export function mapAddresses(value: unknown, { schema, path = "", read }: Mapping): unknown {
  const whole = wholeAddress(value);
  const found =
    whole && read({ address: whole, path, isInside: false, asText: isTextAlone(schema) });
  if (found !== undefined) return found;
  if (typeof value === "string") {
    return replaceAddresses(value, (address) => {
      const inside = read({ address, path, isInside: true, asText: true });
      return inside === undefined ? undefined : String(inside);
    });
  }
  const { items, properties, additionalProperties } = Object(schema);
  const known = Object(properties);
  const map = (inner: unknown, key: string | number, own: unknown) =>
    mapAddresses(inner, { schema: own, path: joinKey(path, key), read });
  if (Array.isArray(value)) return value.map((inner, index) => map(inner, index, items));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, inner]) => {
    return [key, map(inner, key, Object.hasOwn(known, key) ? known[key] : additionalProperties)];
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

/** Returns true if a schema accepts only strings. */
function isTextAlone(schema: unknown): boolean {
  const types: unknown[] = [Object(schema).type].flat();
  return types.includes("string") && types.every((type) => type === "string" || type === "null");
}
