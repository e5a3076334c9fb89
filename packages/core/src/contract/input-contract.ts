import { isJsonObject, type JsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import { type References, resolveReferences } from "../schema/references.ts";
import { listOf, objectOf, type SchemaPlace, walkSchema } from "../schema/walk-schema.ts";
import { at, type Finding } from "./contract-finding.ts";
import { isFreeForm } from "./free-form.ts";
import { checkShape, type Property, propertiesOf, unusable } from "./shape-contract.ts";

const INPUT = "/inputSchema";

/** What the contract finds wrong with an input schema: it must describe each argument. */
export function checkInputContract(schema: unknown, validator: JsonSchemaValidator): Finding[] {
  const { must } = at(INPUT, "mcp");
  if (!isJsonObject(schema)) {
    return [must("input-schema", "It has no inputSchema: describe its arguments.")];
  }
  const defect = unusable(schema, validator);
  if (defect) return [must("input-schema", `Its inputSchema is unusable: ${defect}.`)];
  if (schema.type !== "object") {
    const message = 'Its inputSchema must say type "object".';
    return [at(`${INPUT}/type`, "mcp").must("input-schema", message)];
  }
  const references = resolveReferences(schema);
  const places = walkSchema(schema, INPUT);
  const refused = refusedDefaults(places.flatMap(propertiesOf), { root: schema, validator });
  return [
    ...places.flatMap((place) => [
      ...checkShape(place, references),
      ...propertiesOf(place).flatMap((argument) => checkArgument(argument, references)),
      ...checkString(place),
    ]),
    ...refused.map(({ name, path }) => {
      const message = `The default of "${name}" is invalid under its own schema: correct one of them.`;
      return at(`${path}/default`).must("default", message);
    }),
  ];
}

/** Arguments are typed and described, and optional ones say what they default to. */
function checkArgument(argument: Property, references: References): Finding[] {
  const { name, path, schema, isOptional } = argument;
  if (schema === false) return [];
  const { must, should } = at(path);
  const { description } = objectOf(schema);
  const findings: Finding[] = [];
  if (isFreeForm(schema, references)) {
    findings.push(must("free-form", `"${name}" takes anything: give it a type.`));
  }
  if (typeof description !== "string" || description.trim() === "") {
    const message = `"${name}" has no description: say what it means.`;
    findings.push(should("argument-description", message));
  }
  if (isOptional && !hasDefault(argument)) {
    const message = `"${name}" is optional and declares no default: declare it, or require it.`;
    findings.push(should("default", message));
  }
  return findings;
}

function hasDefault({ schema }: Property): boolean {
  return Object.hasOwn(objectOf(schema), "default");
}

/** Most defaults that are checked one by one, where one of them is refused. */
const MAX_DEFAULTS = 20;

/** The arguments whose default their own schema refuses. */
function refusedDefaults(
  all: readonly Property[],
  { root, validator }: { readonly root: JsonObject; readonly validator: JsonSchemaValidator },
): Property[] {
  const { $schema, $defs, definitions } = root;
  /** `undefined` where they refer to other parts of the document and cannot be compiled alone. */
  const accepts = (some: readonly Property[]): boolean | undefined => {
    const properties = Object.fromEntries(some.map(({ schema }, index) => [`p${index}`, schema]));
    const value = some.map(({ schema }, index) => [`p${index}`, objectOf(schema).default]);
    try {
      const check = validator.getValidator({ $schema, $defs, definitions, properties });
      return check(Object.fromEntries(value)).valid;
    } catch {
      return undefined;
    }
  };
  const given = all.filter(hasDefault);
  // Compiled together: one by one, a schema of many defaults would take long.
  if (accepts(given)) return [];
  return given.slice(0, MAX_DEFAULTS).filter((one) => accepts([one]) === false);
}

function checkString({ schema, path, whole }: SchemaPlace): Finding[] {
  const isText = schema.type === "string" || listOf(schema.type).includes("string");
  const bounds = ["maxLength", "enum", "const", "format", "pattern"];
  if (!whole || !isText || bounds.some((key) => Object.hasOwn(schema, key))) return [];
  const message = "This text may be of any length: set maxLength.";
  return [at(path).should("bounded-string", message)];
}
