import { isJsonObject, type JsonObject } from "../json.ts";
import { escapePointer } from "../path.ts";
import { type SubschemaRole, subschemasOf } from "./subschemas.ts";

/** A subschema and its place, as a JSON pointer. */
export interface SchemaPlace {
  readonly schema: JsonObject;
  readonly path: string;
  /** The subschema says what a whole value must be; false for parts of an `allOf` and its like. */
  readonly whole: boolean;
}

/** The subschemas that describe a value or its parts, the schema itself first. Expects one without defect. */
export function walkSchema(root: JsonObject, at = ""): SchemaPlace[] {
  const places: SchemaPlace[] = [];
  const visit = (place: SchemaPlace) => {
    places.push(place);
    for (const { schema, role, keyword, key } of subschemasOf(place.schema)) {
      if (!DESCRIBING.has(role)) continue;
      const name = key === undefined ? "" : `/${escapePointer(key)}`;
      visit({ schema, path: `${place.path}/${keyword}${name}`, whole: role !== "same" });
    }
  };
  visit({ schema: root, path: at, whole: true });
  return places;
}

const DESCRIBING: ReadonlySet<SubschemaRole> = new Set(["same", "part", "each", "shelf"]);

/** The value where it is an object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The value where it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
