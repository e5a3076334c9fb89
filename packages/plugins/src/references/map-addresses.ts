import type { Address } from "@toolrail/core/plugin";
import { isJsonObject, joinKey } from "@toolrail/json";
import { readAddress, replaceAddresses } from "./address.ts";

/** The place of an address in arguments. */
export interface AddressPlace {
  readonly address: Address;
  /** The argument that contains it: `rows.0.name`. */
  readonly path: string;
  /** True if it is inside a longer text. */
  readonly isInside: boolean;
  /** True if a text is wanted. */
  readonly asText: boolean;
}

interface Mapping {
  /** The schema of the value, as far as it is known. */
  readonly schema: unknown;
  readonly path?: string;
  /** The value that replaces an address; `undefined` leaves it unchanged. */
  read(place: AddressPlace): unknown;
}

/** A copy of the arguments with each address replaced by `read`, once. Measure their depth first. */
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

/** The address that a value is, as a text or as `{ "$ref": … }`, where it may be bare. */
function wholeAddress(value: unknown): Address | undefined {
  if (typeof value === "string") return readAddress(value);
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined;
  const { $ref } = value;
  return typeof $ref === "string" ? (readAddress($ref) ?? readAddress(`{${$ref}}`)) : undefined;
}

/** True if a schema accepts only strings. */
function isTextAlone(schema: unknown): boolean {
  const types: unknown[] = [Object(schema).type].flat();
  return types.includes("string") && types.every((type) => type === "string" || type === "null");
}
