import { isJsonObject, type JsonObject } from "../json.ts";
import { type JsonSchemaValidator, schemaDefect } from "../schema/json-schema.ts";
import { type References, resolveReferences } from "../schema/references.ts";
import {
  escapePointer,
  listOf,
  objectOf,
  type SchemaPlace,
  walkSchema,
} from "../schema/walk-schema.ts";
import type { ContractRule, Finding } from "./contract-finding.ts";
import { hasHiddenText } from "./hidden-text.ts";

const INPUT = "/inputSchema";
const OUTPUT = "/outputSchema";

const must = (rule: ContractRule, path: string, message: string): Finding => ({
  rule,
  severity: "must",
  path,
  message,
});
const should = (rule: ContractRule, path: string, message: string): Finding => ({
  ...must(rule, path, message),
  severity: "should",
});

/** What the contract finds wrong with an input schema. */
export function checkInputContract(schema: unknown, validator: JsonSchemaValidator): Finding[] {
  if (!isJsonObject(schema)) {
    return [must("input-schema", INPUT, "It has no inputSchema: describe its arguments.")];
  }
  const defect = defectOf(schema, validator);
  if (defect) return [must("input-schema", INPUT, `Its inputSchema is unusable: ${defect}.`)];
  if (schema.type !== "object") {
    return [must("input-schema", `${INPUT}/type`, 'Its inputSchema must say type "object".')];
  }
  const references = resolveReferences(schema);
  return walkSchema(schema, INPUT).flatMap((place) => [
    ...checkObject(place, references),
    ...checkArguments(place, references, (argument, value) =>
      accepts(validator, schema, argument, value),
    ),
    ...checkString(place),
  ]);
}

/** What the contract finds wrong with an output schema. */
export function checkOutputContract(schema: unknown, validator: JsonSchemaValidator): Finding[] {
  if (schema === undefined) {
    const message = "It has no outputSchema: describe its structuredContent.";
    return [must("output-schema", OUTPUT, message)];
  }
  const defect = isJsonObject(schema) ? defectOf(schema, validator) : "it is not an object";
  if (defect || !isJsonObject(schema)) {
    return [must("output-schema", OUTPUT, `Its outputSchema is unusable: ${defect}.`)];
  }
  const references = resolveReferences(schema);
  if (isFreeForm(schema, references) || isOpenObject(schema)) {
    const message = "Its outputSchema says nothing of structuredContent: name and type its fields.";
    return [must("free-form", OUTPUT, message)];
  }
  return walkSchema(schema, OUTPUT).flatMap((place) => [
    ...checkObject(place, references),
    ...Object.entries(objectOf(place.schema.properties)).flatMap(([name, field]) =>
      isFreeForm(field, references)
        ? [should("free-form", propertyPath(place, name), "This field has no type: give it one.")]
        : [],
    ),
  ]);
}

function defectOf(schema: JsonObject, validator: JsonSchemaValidator): string | undefined {
  const defect = schemaDefect(schema);
  if (defect) return defect;
  try {
    validator.getValidator(schema);
    return undefined;
  } catch (cause) {
    return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
  }
}

/** Required properties are listed, and objects closed. */
function checkObject({ schema, path, whole }: SchemaPlace, references: References): Finding[] {
  const findings: Finding[] = [];
  const properties = objectOf(schema.properties);
  if (whole) {
    for (const name of listOf(schema.required)) {
      if (typeof name === "string" && isDeclared(schema, references, name)) continue;
      const message = `"${name}" is required and not described: add it to properties.`;
      findings.push(must("required", `${path}/required`, message));
    }
  }
  const isObject = schema.type === "object" || Object.keys(properties).length > 0;
  if (!whole || !isObject || schema.unevaluatedProperties === false) return findings;
  const { additionalProperties: more } = schema;
  const at = `${path}/additionalProperties`;
  if (more === true || (isJsonObject(more) && isFreeForm(more, references))) {
    const message = "Any further property may be sent: close it with additionalProperties: false.";
    findings.push((path === INPUT ? must : should)("free-form", at, message));
  } else if (more === undefined) {
    const message =
      "Properties that are not described get through: say additionalProperties: false.";
    findings.push(should("closed-object", at, message));
  }
  return findings;
}

/** Arguments are described and typed, and say what they default to. */
function checkArguments(
  place: SchemaPlace,
  references: References,
  accepted: (schema: JsonObject, value: unknown) => boolean,
): Finding[] {
  const required = new Set(listOf(place.schema.required));
  return Object.entries(objectOf(place.schema.properties)).flatMap(([name, argument]) => {
    const path = propertyPath(place, name);
    if (argument === false) return [];
    const findings: Finding[] = [];
    const { description, default: fallback } = objectOf(argument);
    if (isFreeForm(argument, references)) {
      findings.push(must("free-form", path, `"${name}" takes anything: give it a type.`));
    }
    if (typeof description !== "string" || description.trim() === "") {
      const message = `"${name}" has no description: say what it means.`;
      findings.push(should("argument-description", path, message));
    } else if (hasHiddenText(description)) {
      const message = "Its description holds characters that nobody can see: remove them.";
      findings.push(must("hidden-text", path, message));
    }
    if (isJsonObject(argument) && Object.hasOwn(argument, "default")) {
      if (!accepted(argument, fallback)) {
        const message = `The default of "${name}" is refused by its own schema: correct one of them.`;
        findings.push(must("default", `${path}/default`, message));
      }
    } else if (place.whole && !required.has(name)) {
      const message = `"${name}" is optional and declares no default: declare it, or require it.`;
      findings.push(should("default", path, message));
    }
    return findings;
  });
}

function checkString({ schema, path, whole }: SchemaPlace): Finding[] {
  const isText = schema.type === "string" || listOf(schema.type).includes("string");
  const isBound = ["maxLength", "enum", "const", "format", "pattern"].some((key) =>
    Object.hasOwn(schema, key),
  );
  if (!whole || !isText || isBound) return [];
  return [should("bounded-string", path, "This text may be of any length: set maxLength.")];
}

/** Every keyword that says something of a value; titles and comments do not. */
const SAYING =
  /^(type|enum|const|\$ref|\$dynamicRef|allOf|anyOf|oneOf|not|if|properties|patternProperties|propertyNames|items|prefixItems|contains|required|format|pattern|min.*|max.*|exclusive.*|multipleOf|uniqueItems)$/;

/** True for a schema that any value passes, or whose reference leads to such a one. */
function isFreeForm(schema: unknown, references: References): boolean {
  if (schema === true) return true;
  if (!isJsonObject(schema)) return false;
  const keys = Object.keys(schema).filter((key) => SAYING.test(key));
  const targets = references.targets(schema);
  if (keys.length === 1 && targets.length > 0) {
    return targets.every((target) => isFreeForm(target, references));
  }
  return keys.length === 0;
}

function isOpenObject(schema: JsonObject): boolean {
  const keys = Object.keys(schema).filter((key) => SAYING.test(key));
  return (
    keys.every((key) => key === "type" || key === "properties") &&
    schema.type === "object" &&
    Object.keys(objectOf(schema.properties)).length === 0 &&
    !isJsonObject(schema.additionalProperties) &&
    schema.additionalProperties !== false
  );
}

/** Declared by the schema itself or by a part that applies to the same value. */
function isDeclared(schema: JsonObject, references: References, name: string): boolean {
  if (Object.hasOwn(objectOf(schema.properties), name)) return true;
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((key) => listOf(schema[key]));
  return [...parts, ...references.targets(schema)].some(
    (part) => isJsonObject(part) && isDeclared(part, references, name),
  );
}

function accepts(
  validator: JsonSchemaValidator,
  root: JsonObject,
  schema: JsonObject,
  value: unknown,
): boolean {
  const { $schema, $defs, definitions } = root;
  const known = { $schema, $defs, definitions };
  const shared = Object.fromEntries(Object.entries(known).filter(([, part]) => part !== undefined));
  try {
    return validator.getValidator({ ...shared, ...schema })(value).valid;
  } catch {
    return true; // It refers to the whole document, which has been compiled: not ours to judge here.
  }
}

function propertyPath({ path }: SchemaPlace, name: string): string {
  return `${path}/properties/${escapePointer(name)}`;
}
