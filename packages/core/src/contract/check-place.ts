import { escapePointer, type JsonObject } from "@toolrail/json";
import type { References } from "@toolrail/json/schema";
import { listOf, objectOf, type SchemaPlace, subschemasOf } from "@toolrail/json/schema";
import type { Report } from "./contract-finding.ts";
import { isFreeForm, isOpen } from "./free-form.ts";

interface Check {
  readonly references: References;
  readonly report: Report;
}

/** Checks a schema of a whole value: required properties are described, objects are closed, lists are typed. */
export function checkShape({ schema, path }: SchemaPlace, { references, report }: Check): void {
  const required = listOf(schema.required);
  const declared = new Set<unknown>(required.length > 0 ? namesIn(schema, references) : []);
  for (const name of required.filter((one) => !declared.has(one))) {
    const message = `"${name}" is required but not described: add it to properties.`;
    report.must("required", { path: `${path}/required`, message });
  }
  if (schema.type === "array" && isOpen(schema, references)) {
    const message = "The items of this list may be anything: give them a type.";
    report.should("free-form", { path: `${path}/items`, message });
  }
  const { additionalProperties: more, properties, patternProperties } = schema;
  // Open arguments break the contract. Open values inside them, or in an output, are tolerable.
  const severity = path === "/inputSchema" ? "must" : "should";
  for (const [pattern, inner] of Object.entries(objectOf(patternProperties))) {
    if (!isFreeForm(inner, references)) continue;
    const message = "Properties by this pattern may be anything: give them a type.";
    const at = `${path}/patternProperties/${escapePointer(pattern)}`;
    report[severity]("free-form", { path: at, message });
  }
  const isObject = schema.type === "object" || Object.keys(objectOf(properties)).length > 0;
  if (!isObject || schema.unevaluatedProperties === false) return;
  const at = `${path}/additionalProperties`;
  const how = "additionalProperties: false (z.strictObject)";
  if (more === undefined) {
    const message = `Undescribed properties are accepted: set ${how}.`;
    report.should("closed-object", { path: at, message });
  } else if (isFreeForm(more, references)) {
    const message = `Any further property may be sent: close it with ${how}.`;
    report[severity]("free-form", { path: at, message });
  }
}

/** Returns the properties that a schema names, itself or by a part that applies to the same value. */
function namesIn(schema: JsonObject, references: References): string[] {
  const parts = subschemasOf(schema).filter(({ role }) => role === "same");
  const together = [...parts.map((part) => part.schema), ...references.targets(schema)];
  const names = together.flatMap((part) => namesIn(part, references));
  return [...Object.keys(objectOf(schema.properties)), ...names];
}

/** Checks arguments: all are typed and described, optional ones have a default, and texts have a maximum length. */
export function checkArguments(
  { schema, path, whole }: SchemaPlace,
  { references, report }: Check,
): void {
  const required = new Set(listOf(schema.required));
  for (const [name, inner] of Object.entries(objectOf(schema.properties))) {
    if (inner === false) continue;
    const at = `${path}/properties/${escapePointer(name)}`;
    const { description, ...keywords } = objectOf(inner);
    if (isFreeForm(inner, references)) {
      report.must("free-form", { path: at, message: `"${name}" takes anything: give it a type.` });
    }
    if (typeof description !== "string" || description.trim() === "") {
      const message = `"${name}" has no description: say what it means.`;
      report.should("argument-description", { path: at, message });
    }
    if (whole && !required.has(name) && !Object.hasOwn(keywords, "default")) {
      const message = `"${name}" is optional and declares no default: declare it, or require it.`;
      report.should("default", { path: at, message });
    }
  }
  const isText = schema.type === "string" || listOf(schema.type).includes("string");
  const bounds = ["maxLength", "enum", "const", "format", "pattern"];
  if (!whole || !isText || bounds.some((key) => Object.hasOwn(schema, key))) return;
  report.should("bounded-string", {
    path,
    message: "This text may be of any length: set maxLength.",
  });
}

export function checkFields({ schema, path }: SchemaPlace, { references, report }: Check): void {
  for (const [name, inner] of Object.entries(objectOf(schema.properties))) {
    if (!isFreeForm(inner, references)) continue;
    const at = `${path}/properties/${escapePointer(name)}`;
    report.should("free-form", { path: at, message: "This field has no type: give it one." });
  }
}
