import { isJsonObject, type JsonObject } from "../json.ts";
import { type JsonSchemaValidator, schemaDefect } from "../schema/json-schema.ts";
import { type References, resolveReferences } from "../schema/references.ts";
import { subschemasOf } from "../schema/schema-tree.ts";
import {
  escapePointer,
  listOf,
  objectOf,
  type SchemaPlace,
  walkSchema,
} from "../schema/walk-schema.ts";
import type { Report } from "./contract-finding.ts";
import { isFreeForm, isOpen } from "./free-form.ts";

interface SchemaCheck {
  readonly side: "inputSchema" | "outputSchema";
  readonly validator: JsonSchemaValidator;
  readonly report: Report;
}

/** Checks that an input schema describes each argument, an output schema `structuredContent`. */
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
  const references = resolveReferences(schema);
  if (!isInput && (isFreeForm(schema, references) || isOpen(schema, references))) {
    const message = "Its outputSchema says nothing of structuredContent: name and type its fields.";
    report.must("free-form", { path, message });
    return;
  }
  const places = walkSchema(schema, path);
  for (const place of places) {
    if (place.whole) checkWhole(place, { references, report });
    for (const property of propertiesOf(place)) {
      if (isInput) checkArgument(property, { references, report });
      else if (isFreeForm(property.schema, references)) {
        const message = "This field has no type: give it one.";
        report.should("free-form", { path: property.path, message });
      }
    }
    if (isInput) checkLength(place, report);
  }
  const given = isInput ? places.flatMap(propertiesOf).filter(hasDefault) : [];
  for (const { name, path: at } of refusedDefaults(given, { root: schema, validator })) {
    const message = `The default of "${name}" is refused by its own schema: correct one of them.`;
    report.must("default", { path: `${at}/default`, message });
  }
}

/** Why a schema cannot be used, or `undefined`. */
function unusable(schema: JsonObject, validator: JsonSchemaValidator): string | undefined {
  const defect = schemaDefect(schema);
  if (defect) return defect;
  try {
    validator.getValidator(schema);
    return undefined;
  } catch (cause) {
    return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
  }
}

type Property = ReturnType<typeof propertiesOf>[number];

/** The properties that a schema names. */
function propertiesOf({ schema, path, whole }: SchemaPlace) {
  const required = new Set(listOf(schema.required));
  return Object.entries(objectOf(schema.properties)).map(([name, inner]) => {
    const isOptional = whole && inner !== false && !required.has(name);
    return { name, path: `${path}/properties/${escapePointer(name)}`, schema: inner, isOptional };
  });
}

interface Look {
  readonly references: References;
  readonly report: Report;
}

/** What a whole value may hold: required properties are described, objects closed, lists typed. */
function checkWhole({ schema, path }: SchemaPlace, { references, report }: Look): void {
  const required = listOf(schema.required);
  const declared = new Set<unknown>(required.length > 0 ? namesIn(schema, references) : []);
  for (const name of required.filter((one) => !declared.has(one))) {
    const message = `"${name}" is required and not described: add it to properties.`;
    report.must("required", { path: `${path}/required`, message });
  }
  if (schema.type === "array" && isOpen(schema, references)) {
    const message = "The items of this list may be anything: give them a type.";
    report.should("free-form", { path: `${path}/items`, message });
  }
  const { additionalProperties: more, properties, patternProperties } = schema;
  // The arguments of a tool must not be open; what is open below them, or in an output, can be lived with.
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

/** The properties that a schema names itself, or by a part that applies to the same value. */
function namesIn(schema: JsonObject, references: References): string[] {
  const parts = subschemasOf(schema).filter(({ role }) => role === "same");
  const together = [...parts.map((part) => part.schema), ...references.targets(schema)];
  const names = together.flatMap((part) => namesIn(part, references));
  return [...Object.keys(objectOf(schema.properties)), ...names];
}

/** Arguments are typed and described, and optional ones say what they default to. */
function checkArgument(argument: Property, { references, report }: Look): void {
  const { name, path, schema, isOptional } = argument;
  if (schema === false) return;
  const { description } = objectOf(schema);
  if (isFreeForm(schema, references)) {
    report.must("free-form", { path, message: `"${name}" takes anything: give it a type.` });
  }
  if (typeof description !== "string" || description.trim() === "") {
    const message = `"${name}" has no description: say what it means.`;
    report.should("argument-description", { path, message });
  }
  if (isOptional && !hasDefault(argument)) {
    const message = `"${name}" is optional and declares no default: declare it, or require it.`;
    report.should("default", { path, message });
  }
}

function hasDefault({ schema }: Property): boolean {
  return Object.hasOwn(objectOf(schema), "default");
}

/** The arguments whose default their own schema refuses. Compiled together: one by one they would take long. */
function refusedDefaults(
  given: readonly Property[],
  { root, validator }: { readonly root: JsonObject; readonly validator: JsonSchemaValidator },
): readonly Property[] {
  const { $schema, $defs, definitions } = root;
  const properties = Object.fromEntries(given.map(({ schema }, at) => [`p${at}`, schema]));
  try {
    const check = validator.getValidator({ $schema, $defs, definitions, properties });
    return given.filter(({ schema }, at) => !check({ [`p${at}`]: objectOf(schema).default }).valid);
  } catch {
    return []; // They refer to other parts of the document and cannot be compiled apart from it.
  }
}

function checkLength({ schema, path, whole }: SchemaPlace, report: Report): void {
  const isText = schema.type === "string" || listOf(schema.type).includes("string");
  const bounds = ["maxLength", "enum", "const", "format", "pattern"];
  if (!whole || !isText || bounds.some((key) => Object.hasOwn(schema, key))) return;
  const message = "This text may be of any length: set maxLength.";
  report.should("bounded-string", { path, message });
}
