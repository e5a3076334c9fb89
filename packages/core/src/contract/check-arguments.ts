import type { JsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import { escapePointer, listOf, objectOf, type SchemaPlace } from "../schema/walk-schema.ts";
import type { Look } from "./check-shape.ts";
import type { Report } from "./contract-finding.ts";
import { isFreeForm } from "./free-form.ts";

type Property = ReturnType<typeof propertiesOf>[number];

/** The properties that a schema names. */
export function propertiesOf({ schema, path, whole }: SchemaPlace) {
  const required = new Set(listOf(schema.required));
  return Object.entries(objectOf(schema.properties)).map(([name, inner]) => {
    const isOptional = whole && inner !== false && !required.has(name);
    return { name, path: `${path}/properties/${escapePointer(name)}`, schema: inner, isOptional };
  });
}

/** Arguments are typed and described, and optional ones say what they default to. */
export function checkArgument(argument: Property, { references, report }: Look): void {
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

/** Finds defaults that their own schema refuses. It is compiled once for all: one by one they would take long. */
export function checkDefaults(
  all: readonly Property[],
  { root, validator, report }: { root: JsonObject; validator: JsonSchemaValidator; report: Report },
): void {
  const given = all.filter(hasDefault);
  const { $schema, $defs, definitions } = root;
  const properties = Object.fromEntries(given.map(({ schema }, at) => [`p${at}`, schema]));
  let check: ReturnType<JsonSchemaValidator["getValidator"]>;
  try {
    check = validator.getValidator({ $schema, $defs, definitions, properties });
  } catch {
    return; // They refer to other parts of the document and cannot be compiled apart from it.
  }
  for (const [at, { name, path, schema }] of given.entries()) {
    if (check({ [`p${at}`]: objectOf(schema).default }).valid) continue;
    const message = `The default of "${name}" is invalid under its own schema: correct one of them.`;
    report.must("default", { path: `${path}/default`, message });
  }
}

/** A text says how long it may be. */
export function checkLength({ schema, path, whole }: SchemaPlace, report: Report): void {
  const isText = schema.type === "string" || listOf(schema.type).includes("string");
  const bounds = ["maxLength", "enum", "const", "format", "pattern"];
  if (!whole || !isText || bounds.some((key) => Object.hasOwn(schema, key))) return;
  const message = "This text may be of any length: set maxLength.";
  report.should("bounded-string", { path, message });
}
