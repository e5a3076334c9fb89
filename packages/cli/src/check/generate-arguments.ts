import { createValidator, type JsonObject } from "@toolrail/core";
import { isJsonObject, mapSubschemas } from "@toolrail/core/adapter";
import { createGeneratorSync, type JsonSchema } from "json-schema-faker";
import { fieldsOf } from "../schema-fields.ts";

/** Arguments made up from a schema, and what the schema says of them. */
export interface GeneratedArguments {
  readonly kind: "valid" | "borderline" | "invalid";
  /** What is special about them: `every argument`, `without path`. */
  readonly about: string;
  readonly arguments: JsonObject;
}

/** Longest text and list that are made up, and most properties, by what follows `min` or `max`. */
const MOST = { Length: 2_000, Items: 10, Contains: 10, Properties: 100 };
/** Most JSON text that is made up for a schema, counted at each level: lists in lists multiply. */
const MOST_IN_ALL = 2_000_000;
/** Repeats of repeats make texts without end: a pattern with more groups is left out. */
const MOST_GROUPS = 4;

/**
 * Makes up arguments: valid ones, valid ones at the edge of what the schema allows, and ones that break
 * it in one place each. The same schema always gives the same arguments. Each is checked by the schema,
 * so a mistake of the generator is left out. Throws where the schema cannot be compiled.
 */
export function generateArguments(schema: JsonObject): GeneratedArguments[] {
  const accepts = createValidator().getValidator(schema);
  const small = bounded(schema);
  const full = generate(small, 1);
  const fields = fieldsOf(schema);
  const required = fields.filter(({ isRequired }) => isRequired);
  const cases: GeneratedArguments[] = [
    { kind: "valid", about: "every argument", arguments: full },
    { kind: "valid", about: "only the required arguments", arguments: generate(small, 0) },
    ...fields.flatMap(({ name, schema: property }) =>
      Object.entries(edgesOf(property)).map(([edge, value]) => {
        const args = { ...full, [name]: value };
        return { kind: "borderline", about: `${name} ${edge}`, arguments: args } as const;
      }),
    ),
    ...required.map(({ name }) => {
      const { [name]: _, ...args } = full;
      return { kind: "invalid", about: `without ${name}`, arguments: args } as const;
    }),
    ...fields.map(({ name, schema: { type } }) => {
      const args = { ...full, [name]: type === "object" ? "text" : { wrong: true } };
      return { kind: "invalid", about: `${name} of another type`, arguments: args } as const;
    }),
    {
      kind: "invalid",
      about: "an argument nobody declared",
      arguments: { ...full, toolrail_undeclared: true },
    },
  ];
  const seen = new Set<string>();
  return cases.filter(({ kind, arguments: args }) => {
    const text = JSON.stringify(args);
    if (seen.has(text) || accepts(args).valid !== (kind !== "invalid")) return false;
    seen.add(text);
    return true;
  });
}

/** A copy that asks for little: the generator would make a list of 10^9 items. */
function bounded(schema: JsonObject): JsonObject {
  const { pattern, ...copy } = mapSubschemas(schema, bounded);
  const isKept = typeof pattern === "string" && pattern.split("(").length <= MOST_GROUPS + 1;
  const limits = Object.entries(MOST)
    .flatMap(([what, most]) =>
      [`min${what}`, `max${what}`].map((keyword) => [keyword, most] as const),
    )
    .filter(([keyword, most]) => Number(schema[keyword]) > most);
  return { ...copy, ...(isKept && { pattern }), ...Object.fromEntries(limits) };
}

function generate(schema: JsonObject, optionalsProbability: 0 | 1): JsonObject {
  let room = MOST_IN_ALL;
  try {
    const generator = createGeneratorSync({
      seed: 1,
      alwaysFakeOptionals: optionalsProbability === 1,
      optionalsProbability,
      fillProperties: false,
      useDefaultValue: true,
      useExamplesValue: true,
      maxDefaultItems: 2,
      outputTransform(value) {
        room -= JSON.stringify(value)?.length ?? 0;
        if (room < 0) throw new RangeError("The schema asks for more than can be generated.");
        return value;
      },
    });
    const value = generator.generate(schema as JsonSchema);
    return isJsonObject(value) ? value : {};
  } catch {
    return {}; // A schema that it cannot follow: the edges are tried all the same.
  }
}

/** Values at the edge of a type, by what is special about them. */
function edgesOf(property: JsonObject): JsonObject {
  const { type, minimum = -1, maximum = 1_000_000, enum: choices } = property;
  const { minLength = 0, maxLength = MOST.Length } = bounded(property);
  if (Array.isArray(choices)) return { "last choice": choices.at(-1) };
  if (type === "array") return { "at its shortest": [] };
  if (type === "number" || type === "integer") {
    return { "at its least": minimum, zero: 0, "at its most": maximum };
  }
  if (type !== "string") return {};
  return {
    "at its shortest": "a".repeat(Number(minLength)),
    "at its longest": "a".repeat(Number(maxLength)),
    "with other scripts": "é漢字🙂",
  };
}
