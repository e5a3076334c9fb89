import { isJsonObject, type JsonObject } from "../json.ts";
import { type JsonSchemaValidator, schemaDefect } from "../schema/json-schema.ts";
import type { References } from "../schema/references.ts";
import { escapePointer, listOf, objectOf, type SchemaPlace } from "../schema/walk-schema.ts";
import { type Finding, must, should } from "./contract-finding.ts";
import { isFreeForm, isOpenList } from "./free-form.ts";

/** Why a schema cannot be used, or `undefined`. */
export function unusable(schema: JsonObject, validator: JsonSchemaValidator): string | undefined {
  const defect = schemaDefect(schema);
  if (defect) return defect;
  try {
    validator.getValidator(schema);
    return undefined;
  } catch (cause) {
    return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
  }
}

/** What input and output have in common: required properties are described, objects closed, lists typed. */
export function checkShape(place: SchemaPlace, references: References): Finding[] {
  const { schema, path, whole } = place;
  if (!whole) return [];
  const items = "The items of this list may be anything: give them a type.";
  return [
    ...checkRequired(place, references),
    ...checkClosed(place, references),
    ...(isOpenList(schema, references) ? [should("free-form", `${path}/items`, items)] : []),
  ];
}

function checkRequired({ schema, path }: SchemaPlace, references: References): Finding[] {
  return listOf(schema.required).flatMap((name) => {
    if (typeof name === "string" && isDeclared(schema, references, name)) return [];
    const message = `"${name}" is required and not described: add it to properties.`;
    return [must("required", `${path}/required`, message)];
  });
}

/** The arguments of a tool must not be open; what is open below them, or in an output, can be lived with. */
function checkClosed({ schema, path }: SchemaPlace, references: References): Finding[] {
  const { additionalProperties: more, properties, patternProperties } = schema;
  const finding = path === "/inputSchema" ? must : should;
  const open = Object.entries(objectOf(patternProperties)).flatMap(([pattern, inner]) => {
    const at = `${path}/patternProperties/${escapePointer(pattern)}`;
    const message = "Properties by this pattern may be anything: give them a type.";
    return isFreeForm(inner, references) ? [finding("free-form", at, message)] : [];
  });
  const isObject = schema.type === "object" || Object.keys(objectOf(properties)).length > 0;
  if (!isObject || schema.unevaluatedProperties === false) return open;
  const at = `${path}/additionalProperties`;
  if (more === true || (isJsonObject(more) && isFreeForm(more, references))) {
    const message = "Any further property may be sent: close it with additionalProperties: false.";
    return [...open, finding("free-form", at, message)];
  }
  if (more !== undefined) return open;
  const message = "Properties that are not described get through: say additionalProperties: false.";
  return [...open, should("closed-object", at, message)];
}

/** Declared by the schema itself or by a part that applies to the same value. */
function isDeclared(schema: JsonObject, references: References, name: string): boolean {
  if (Object.hasOwn(objectOf(schema.properties), name)) return true;
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => listOf(schema[key]));
  return [...parts, ...references.targets(schema)].some(
    (part) => isJsonObject(part) && isDeclared(part, references, name),
  );
}

/** The place of a property, as a JSON pointer. */
export function propertyPath({ path }: SchemaPlace, name: string): string {
  return `${path}/properties/${escapePointer(name)}`;
}
