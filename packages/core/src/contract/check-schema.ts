import { isJsonObject, type JsonObject } from "../json/json.ts";
import { escapePointer } from "../json/path.ts";
import { messageOf } from "../json/plain-text.ts";
import { listOf, objectOf, resolveReferences, schemaDefect, subschemasOf } from "../json/schema.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";
import type { Report } from "./contract-finding.ts";
import { createShapes, type Shapes } from "./free-form.ts";

interface SchemaCheck {
  readonly side: "inputSchema" | "outputSchema";
  readonly validator: JsonSchemaValidator;
  readonly report: Report;
}

/** Checks that an input schema describes each argument, and that an output schema describes `structuredContent`. */
export function checkSchema(schema: unknown, { side, validator, report }: SchemaCheck): void {
  const path = `/${side}`;
  const isInput = side === "inputSchema";
  const rule = isInput ? "input-schema" : "output-schema";
  if (schema === undefined && !isInput) {
    report.must(rule, { path, message: `It has no ${side}: describe its structuredContent.` });
    return;
  }
  const defect = isJsonObject(schema) ? unusable(schema, validator) : "it is not an object";
  if (defect || !isJsonObject(schema)) {
    report.must(rule, { path, message: `Its ${side} is unusable: ${defect}.`, source: "mcp" });
    return;
  }
  if (isInput && schema.type !== "object") {
    const message = 'Its inputSchema must say type "object".';
    report.must(rule, { path: `${path}/type`, message, source: "mcp" });
    return;
  }
  const shapes = createShapes(resolveReferences(schema));
  if (!isInput && (shapes.isFreeForm(schema) || shapes.isOpen(schema))) {
    const message =
      "Its outputSchema says nothing about structuredContent: name and type its fields.";
    report.must("free-form", { path, message });
    return;
  }
  checkPlace({ schema, path, isWhole: true }, { isInput, shapes, report });
}

/** Returns the reason why a schema cannot be used, or `undefined`. */
function unusable(schema: JsonObject, validator: JsonSchemaValidator): string | undefined {
  const defect = schemaDefect(schema);
  if (defect) return defect;
  try {
    validator.getValidator(structuredClone(schema));
    return undefined;
  } catch (cause) {
    return messageOf(cause).replace(/\.$/, "");
  }
}

/** A subschema with its path as a JSON pointer. */
interface Place {
  readonly schema: JsonObject;
  readonly path: string;
  /** True if the subschema describes a whole value. False for parts of an `allOf`, `anyOf` and the like. */
  readonly isWhole: boolean;
}

interface Check {
  readonly isInput: boolean;
  readonly shapes: Shapes;
  readonly report: Report;
}

/** Checks a subschema that describes a value or a part of it, then those in it. */
function checkPlace(place: Place, check: Check): void {
  const { schema, path, isWhole } = place;
  if (isWhole) checkShape(place, check);
  checkProperties(place, check);
  if (isWhole && check.isInput) checkLength(place, check);
  for (const { schema: inner, role, keyword, key } of subschemasOf(schema)) {
    if (!["same", "part", "each", "shelf"].includes(role)) continue;
    const name = key === undefined ? "" : `/${escapePointer(key)}`;
    const below = { schema: inner, path: `${path}/${keyword}${name}`, isWhole: role !== "same" };
    checkPlace(below, check);
  }
}

/** Checks a schema of a whole value: required properties are described, objects are closed, lists are typed. */
function checkShape({ schema, path }: Place, { shapes, report }: Check): void {
  const required = listOf(schema.required);
  const declared: ReadonlySet<unknown> = required.length > 0 ? shapes.listNames(schema) : new Set();
  for (const name of required.filter((name) => !declared.has(name))) {
    const message = `"${name}" is required but not described: add it to properties.`;
    report.must("required", { path: `${path}/required`, message });
  }
  if (schema.type === "array" && shapes.isOpen(schema)) {
    const message = "The items of this list may be anything: give them a type.";
    report.should("free-form", { path: `${path}/items`, message });
  }
  const { additionalProperties: more, properties, patternProperties } = schema;
  // Open arguments break the contract. Open values inside them, or in an output, are tolerable.
  const severity = path === "/inputSchema" ? "must" : "should";
  for (const [pattern, inner] of Object.entries(objectOf(patternProperties))) {
    if (!shapes.isFreeForm(inner)) continue;
    const message = "Properties by this pattern may be anything: give them a type.";
    const place = `${path}/patternProperties/${escapePointer(pattern)}`;
    report[severity]("free-form", { path: place, message });
  }
  const isObject = schema.type === "object" || Object.keys(objectOf(properties)).length > 0;
  if (!isObject || schema.unevaluatedProperties === false) return;
  const place = `${path}/additionalProperties`;
  const how = "additionalProperties: false (z.strictObject)";
  if (more === undefined) {
    const message = `Undescribed properties are accepted: set ${how}.`;
    report.should("closed-object", { path: place, message });
  } else if (shapes.isFreeForm(more)) {
    const message = `Any further property may be sent: close it with ${how}.`;
    report[severity]("free-form", { path: place, message });
  }
}

/** Checks that properties are typed. Arguments are also described, and optional ones have a default. */
function checkProperties(
  { schema, path, isWhole }: Place,
  { isInput, shapes, report }: Check,
): void {
  const required = new Set(listOf(schema.required));
  for (const [name, inner] of Object.entries(objectOf(schema.properties))) {
    if (inner === false) continue;
    const place = `${path}/properties/${escapePointer(name)}`;
    if (shapes.isFreeForm(inner)) {
      const message = isInput
        ? `"${name}" takes anything: give it a type.`
        : "This field has no type: give it one.";
      report[isInput ? "must" : "should"]("free-form", { path: place, message });
    }
    if (!isInput) continue;
    const { description, ...keywords } = objectOf(inner);
    if (typeof description !== "string" || description.trim() === "") {
      const message = `"${name}" has no description: say what it means.`;
      report.should("argument-description", { path: place, message });
    }
    if (isWhole && !required.has(name) && !Object.hasOwn(keywords, "default")) {
      const message = `"${name}" is optional and declares no default: declare it, or require it.`;
      report.should("default", { path: place, message });
    }
  }
}

/** Checks that a text has a maximum length, or another bound. */
function checkLength({ schema, path }: Place, { report }: Check): void {
  const isText = schema.type === "string" || listOf(schema.type).includes("string");
  const bounds = ["maxLength", "enum", "const", "format", "pattern"];
  if (!isText || bounds.some((key) => Object.hasOwn(schema, key))) return;
  const message = "This text may be of any length: set maxLength.";
  report.should("bounded-string", { path, message });
}
