import { isJsonObject, type JsonObject } from "../json.ts";
import { joinKey } from "../path.ts";
import { type Address, readAddress, replaceAddresses } from "./address.ts";

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
  if (typeof value === "string") {
    const address = readAddress(value);
    const asText = isTextAlone(schema);
    const whole = address && read({ address, path, isInside: false, asText });
    if (whole !== undefined) return whole;
    return replaceAddresses(value, (inner) => {
      const found = read({ address: inner, path, isInside: true, asText: true });
      return found === undefined ? undefined : String(found);
    });
  }
  if (Array.isArray(value)) {
    const { items } = Object(schema);
    return value.map((one, index) =>
      mapAddresses(one, { schema: items, path: joinKey(path, index), read }),
    );
  }
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && typeof value.$ref === "string") {
    const address = readAddress(value.$ref) ?? readAddress(`{${value.$ref}}`);
    const asText = isTextAlone(schema);
    const found = address && read({ address, path, isInside: false, asText });
    if (found !== undefined) return found;
  }
  return mapMembers(value, { schema, path, read });
}

function mapMembers(value: JsonObject, { schema, path = "", read }: Mapping): JsonObject {
  const { properties, additionalProperties } = Object(schema);
  const known = Object(properties);
  const entries = Object.entries(value).map(([key, one]) => {
    const inner = Object.hasOwn(known, key) ? known[key] : additionalProperties;
    return [key, mapAddresses(one, { schema: inner, path: joinKey(path, key), read })];
  });
  return Object.fromEntries(entries);
}

/** True if a schema accepts only strings. */
function isTextAlone(schema: unknown): boolean {
  const types: unknown[] = [Object(schema).type].flat();
  return types.includes("string") && types.every((type) => type === "string" || type === "null");
}
