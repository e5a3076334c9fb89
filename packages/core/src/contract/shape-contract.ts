import type { JsonObject } from "../json.ts";
import { type JsonSchemaValidator, schemaDefect } from "../schema/json-schema.ts";
import type { References } from "../schema/references.ts";
import { subschemasOf } from "../schema/schema-tree.ts";
import { escapePointer, listOf, objectOf, type SchemaPlace } from "../schema/walk-schema.ts";
import { at, type Finding } from "./contract-finding.ts";
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

export type Property = ReturnType<typeof propertiesOf>[number];

/** The properties that a schema names. */
export function propertiesOf({ schema, path, whole }: SchemaPlace) {
  const required = new Set(listOf(schema.required));
  return Object.entries(objectOf(schema.properties)).map(([name, inner]) => {
    const isOptional = whole && inner !== false && !required.has(name);
    return { name, path: `${path}/properties/${escapePointer(name)}`, schema: inner, isOptional };
  });
}

/** What input and output have in common: required properties are described, objects closed, lists typed. */
export function checkShape(place: SchemaPlace, references: References): Finding[] {
  const { schema, path, whole } = place;
  if (!whole) return [];
  const findings = [...checkRequired(place, references), ...checkClosed(place, references)];
  if (!isOpenList(schema, references)) return findings;
  const message = "The items of this list may be anything: give them a type.";
  return [...findings, at(`${path}/items`).should("free-form", message)];
}

function checkRequired({ schema, path }: SchemaPlace, references: References): Finding[] {
  const required = listOf(schema.required);
  const declared = new Set<unknown>(required.length > 0 ? namesIn(schema, references) : []);
  const { must } = at(`${path}/required`);
  return required
    .filter((name) => !declared.has(name))
    .map((name) =>
      must("required", `"${name}" is required but not described: add it to properties.`),
    );
}

/** The properties that a schema names itself, or by a part that applies to the same value. */
function namesIn(schema: JsonObject, references: References): string[] {
  const parts = subschemasOf(schema).filter(({ role }) => role === "same");
  const together = [...parts.map((part) => part.schema), ...references.targets(schema)];
  const names = together.flatMap((part) => namesIn(part, references));
  return [...Object.keys(objectOf(schema.properties)), ...names];
}

/** The arguments of a tool must not be open; what is open below them, or in an output, can be lived with. */
function checkClosed({ schema, path }: SchemaPlace, references: References): Finding[] {
  const { additionalProperties: more, properties, patternProperties } = schema;
  const severity = path === "/inputSchema" ? "must" : "should";
  const open = Object.entries(objectOf(patternProperties))
    .filter(([, inner]) => isFreeForm(inner, references))
    .map(([pattern]) => {
      const place = at(`${path}/patternProperties/${escapePointer(pattern)}`);
      const message = "Properties by this pattern may be anything: give them a type.";
      return place[severity]("free-form", message);
    });
  const isObject = schema.type === "object" || Object.keys(objectOf(properties)).length > 0;
  if (!isObject || schema.unevaluatedProperties === false) return open;
  const place = at(`${path}/additionalProperties`);
  if (more === undefined) {
    const message =
      "Undescribed properties are accepted: set additionalProperties: false (z.strictObject).";
    return [...open, place.should("closed-object", message)];
  }
  if (!isFreeForm(more, references)) return open;
  const message =
    "Any further property may be sent: close it with additionalProperties: false (z.strictObject).";
  return [...open, place[severity]("free-form", message)];
}
