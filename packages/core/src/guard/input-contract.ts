import { isJsonObject, type JsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import { type References, resolveReferences } from "../schema/references.ts";
import { listOf, objectOf, type SchemaPlace, walkSchema } from "../schema/walk-schema.ts";
import { type Finding, must, should } from "./contract-finding.ts";
import { isFreeForm } from "./free-form.ts";
import { checkShape, propertyPath, unusable } from "./shape-contract.ts";

const INPUT = "/inputSchema";

/** What the contract finds wrong with an input schema: it must describe each argument. */
export function checkInputContract(schema: unknown, validator: JsonSchemaValidator): Finding[] {
  if (!isJsonObject(schema)) {
    return [must("input-schema", INPUT, "It has no inputSchema: describe its arguments.")];
  }
  const defect = unusable(schema, validator);
  if (defect) return [must("input-schema", INPUT, `Its inputSchema is unusable: ${defect}.`)];
  if (schema.type !== "object") {
    return [must("input-schema", `${INPUT}/type`, 'Its inputSchema must say type "object".')];
  }
  const references = resolveReferences(schema);
  return walkSchema(schema, INPUT).flatMap((place) => [
    ...checkShape(place, references),
    ...checkArguments(place, references),
    ...checkDefaults(place, (argument, value) => accepts(validator, schema, argument, value)),
    ...checkString(place),
  ]);
}

/** Arguments are typed and described. */
function checkArguments(place: SchemaPlace, references: References): Finding[] {
  return Object.entries(objectOf(place.schema.properties)).flatMap(([name, argument]) => {
    if (argument === false) return [];
    const path = propertyPath(place, name);
    const { description } = objectOf(argument);
    const isDescribed = typeof description === "string" && description.trim() !== "";
    const unsaid = `"${name}" has no description: say what it means.`;
    const untyped = `"${name}" takes anything: give it a type.`;
    return [
      ...(isFreeForm(argument, references) ? [must("free-form", path, untyped)] : []),
      ...(isDescribed ? [] : [should("argument-description", path, unsaid)]),
    ];
  });
}

/** Optional arguments say what they default to, and that is a value that they may have. */
function checkDefaults(
  place: SchemaPlace,
  isAccepted: (schema: JsonObject, value: unknown) => boolean,
): Finding[] {
  const required = new Set(listOf(place.schema.required));
  return Object.entries(objectOf(place.schema.properties)).flatMap(([name, argument]) => {
    const path = propertyPath(place, name);
    if (isJsonObject(argument) && Object.hasOwn(argument, "default")) {
      if (isAccepted(argument, argument.default)) return [];
      const message = `The default of "${name}" is refused by its own schema: correct one of them.`;
      return [must("default", `${path}/default`, message)];
    }
    if (argument === false || !place.whole || required.has(name)) return [];
    const message = `"${name}" is optional and declares no default: declare it, or require it.`;
    return [should("default", path, message)];
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
