import { createValidator, type JsonObject } from "@toolrail/core";
import { isJsonObject, mapSubschemas } from "@toolrail/core/adapter";
import { createGeneratorSync, type JsonSchema } from "json-schema-faker";

/** Arguments made up from a schema, and what the schema says of them. */
export interface GeneratedArguments {
  readonly kind: "valid" | "borderline" | "invalid";
  /** What is special about them: `every argument`, `without path`. */
  readonly about: string;
  readonly arguments: JsonObject;
}

type Case = readonly [about: string, args: JsonObject];

/** Longest text and list that are made up, and most properties, by what follows `min` or `max`. */
const MOST = { Length: 2_000, Items: 10, Contains: 10, Properties: 100 };
/** Most JSON text that is made up for a schema, counted at each level: lists in lists multiply. */
const MOST_IN_ALL = 2_000_000;
/** Repeats of repeats make texts without end: a pattern whose groups are nested deeper is left out. */
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
  const cases: Record<GeneratedArguments["kind"], Case[]> = {
    valid: [
      ["every argument", full],
      ["only the required arguments", generate(small, 0)],
    ],
    borderline: propertiesOf(schema).flatMap(([name, property]) =>
      edgesOf(property).map(
        ([edge, value]): Case => [`${name} ${edge}`, { ...full, [name]: value }],
      ),
    ),
    invalid: invalid(schema, full),
  };
  const seen = new Set<string>();
  return (["valid", "borderline", "invalid"] as const).flatMap((kind) =>
    cases[kind].flatMap(([about, args]) => {
      const text = JSON.stringify(args);
      if (seen.has(text) || accepts(args).valid !== (kind !== "invalid")) return [];
      seen.add(text);
      return [{ kind, about, arguments: args }];
    }),
  );
}

/** A copy that asks for little: the generator would make a list of 10^9 items. */
function bounded(schema: JsonObject): JsonObject {
  const limits = Object.entries(MOST).flatMap(([what, most]) =>
    [`min${what}`, `max${what}`].flatMap((keyword) =>
      Number(schema[keyword]) > most ? [[keyword, most]] : [],
    ),
  );
  const { pattern, ...copy } = mapSubschemas(schema, bounded);
  const kept = typeof pattern === "string" && !isDeep(pattern) && { pattern };
  return { ...copy, ...kept, ...Object.fromEntries(limits) };
}

function isDeep(pattern: string): boolean {
  let rest = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "");
  for (let depth = 0; depth < MOST_GROUPS; depth++) rest = rest.replace(/\([^()]*\)/g, "");
  return rest.includes("(");
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

/** Values at the edge of a type. */
function edgesOf(property: JsonObject): [edge: string, value: unknown][] {
  const { type, minimum, maximum, enum: choices } = property;
  const numberOf = (keyword: string, fallback: number) => {
    const { [keyword]: value } = property;
    return typeof value === "number" && value >= 0 ? Math.min(value, MOST.Length) : fallback;
  };
  if (Array.isArray(choices)) return choices.slice(-1).map((one) => ["last choice", one]);
  switch (type) {
    case "string": {
      const most = numberOf("maxLength", MOST.Length);
      return [
        ["at its shortest", "a".repeat(numberOf("minLength", 0))],
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
      return [["at its shortest", Array(Math.floor(numberOf("minItems", 0))).fill("a")]];
    default:
      return [];
  }
}

/** One thing at a time is wrong: a required argument is missing, a type is another, a name unknown. */
function invalid(schema: JsonObject, base: JsonObject): Case[] {
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  return [
    ...required.map((missing): Case => {
      const left = Object.entries(base).filter(([name]) => name !== missing);
      return [`without ${missing}`, Object.fromEntries(left)];
    }),
    ...propertiesOf(schema).map(([name, { type }]): Case => {
      const wrong = type === "object" ? "text" : { wrong: true };
      return [`${name} of another type`, { ...base, [name]: wrong }];
    }),
    ["an argument nobody declared", { ...base, toolrail_undeclared: true }],
  ];
}

function propertiesOf({ properties }: JsonObject): [name: string, property: JsonObject][] {
  const entries = Object.entries(isJsonObject(properties) ? properties : {});
  return entries.filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}
