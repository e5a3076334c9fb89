import type { JsonObject, JsonSchemaVerdict } from "@toolrail/core";
import { isJsonObject } from "@toolrail/core";
import { createGeneratorSync } from "json-schema-faker";

/** Arguments made up from a schema, and what the schema says of them. */
export interface GeneratedArguments {
  readonly kind: "valid" | "borderline" | "invalid";
  /** What is special about them: `every argument`, `without path`. */
  readonly about: string;
  readonly arguments: JsonObject;
}

type Accepts = (value: unknown) => JsonSchemaVerdict;

/**
 * Makes up arguments: valid ones, valid ones at the edge of what the schema allows, and ones that break
 * it in one place each. The same schema always gives the same arguments. What comes out is held against
 * the schema itself, so a generator's mistake is left out.
 */
export function generateArguments(schema: JsonObject, accepts: Accepts): GeneratedArguments[] {
  const full = generate(schema, true);
  const least = generate(schema, false);
  const candidates: GeneratedArguments[] = [
    valid("every argument", full),
    valid("the required arguments alone", least),
    ...borderline(schema, full),
    ...invalid(schema, full),
  ];
  const seen = new Set<string>();
  return candidates.filter(({ kind, arguments: args }) => {
    const text = JSON.stringify(args);
    if (seen.has(text) || accepts(args).valid !== (kind !== "invalid")) return false;
    seen.add(text);
    return true;
  });
}

function valid(about: string, args: JsonObject): GeneratedArguments {
  return { kind: "valid", about, arguments: args };
}

const SEED = 1;

function generate(schema: JsonObject, alwaysFakeOptionals: boolean): JsonObject {
  try {
    const generator = createGeneratorSync({
      seed: SEED,
      alwaysFakeOptionals,
      optionalsProbability: alwaysFakeOptionals ? 1 : 0,
      fillProperties: false,
      useDefaultValue: true,
      useExamplesValue: true,
      maxDefaultItems: 2,
    });
    const value = generator.generate(schema as Parameters<typeof generator.generate>[0]);
    return isJsonObject(value) ? value : {};
  } catch {
    return {}; // A schema that it cannot follow: the edges are tried all the same.
  }
}

/** One argument at a time is put at the edge of its type. */
function borderline(schema: JsonObject, base: JsonObject): GeneratedArguments[] {
  return propertiesOf(schema).flatMap(([name, property]) =>
    edgesOf(property).map(
      ([what, value]): GeneratedArguments => ({
        kind: "borderline",
        about: `${name} ${what}`,
        arguments: { ...base, [name]: value },
      }),
    ),
  );
}

const LONG_TEXT = 2_000;

function edgesOf(property: JsonObject): [string, unknown][] {
  const { type, minimum, maximum, minLength, maxLength, minItems } = property;
  if (Array.isArray(property.enum))
    return property.enum.slice(-1).map((one) => ["last choice", one]);
  switch (type) {
    case "string": {
      const least = typeof minLength === "number" ? minLength : 0;
      const most = typeof maxLength === "number" ? Math.min(maxLength, LONG_TEXT) : LONG_TEXT;
      return [
        [least === 0 ? "empty" : "at its shortest", "a".repeat(least)],
        ["at its longest", "a".repeat(most)],
        ["with other scripts", "é漢字🙂".slice(0, most)],
      ];
    }
    case "number":
    case "integer":
      return [
        ["at its least", typeof minimum === "number" ? minimum : -1],
        ["zero", 0],
        ["at its most", typeof maximum === "number" ? maximum : 1_000_000],
      ];
    case "array":
      return [["at its shortest", Array(typeof minItems === "number" ? minItems : 0).fill("a")]];
    default:
      return [];
  }
}

/** One thing at a time is wrong: a required argument is missing, a type is another, a name unknown. */
function invalid(schema: JsonObject, base: JsonObject): GeneratedArguments[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.map((name): GeneratedArguments => {
    const { [String(name)]: _left, ...rest } = base;
    return { kind: "invalid", about: `without ${name}`, arguments: rest };
  });
  const mistyped = propertiesOf(schema).map(
    ([name, property]): GeneratedArguments => ({
      kind: "invalid",
      about: `${name} of another type`,
      arguments: { ...base, [name]: property.type === "object" ? "text" : { wrong: true } },
    }),
  );
  const unknown: GeneratedArguments = {
    kind: "invalid",
    about: "an argument nobody declared",
    arguments: { ...base, toolrail_undeclared: true },
  };
  return [...missing, ...mistyped, unknown];
}

function propertiesOf(schema: JsonObject): [string, JsonObject][] {
  const { properties } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );
}
