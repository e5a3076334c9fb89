import { isJsonObject, type JsonObject } from "../json/json.ts";
import { escapePointer } from "../json/path.ts";
import { messageOf } from "../json/plain-text.ts";
import {
  listOf,
  objectOf,
  resolveReferences,
  SAME_VALUE,
  schemaDefect,
  subschemasOf,
} from "../json/schema.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";
import type { Report } from "./check-contract.ts";

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
  const defect = findDefect(schema, validator);
  if (schema === undefined && !isInput) {
    const message = "It has no outputSchema: describe its structuredContent.";
    report("must", rule, { path, message });
  } else if (defect || !isJsonObject(schema)) {
    report("must", rule, { path, message: `Its ${side} is unusable: ${defect}.`, source: "mcp" });
  } else if (isInput && schema.type !== "object") {
    const message = 'Its inputSchema must say type "object".';
    report("must", rule, { path: `${path}/type`, message, source: "mcp" });
  } else {
    const shapes = createShapes(schema);
    if (isInput || !(shapes.isFreeForm(schema) || shapes.isOpen(schema))) {
      checkPlace({ schema, path, isWhole: true }, { isInput, shapes, report });
      return;
    }
    const message =
      "Its outputSchema says nothing about structuredContent: name and type its fields.";
    report("must", "free-form", { path, message });
  }
}

/** Returns the reason why a schema cannot be used, or `undefined`. */
function findDefect(schema: unknown, validator: JsonSchemaValidator): string | undefined {
  const defect = schemaDefect(schema);
  if (defect) return defect;
  try {
    validator.getValidator(structuredClone(schema as JsonObject));
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
  readonly shapes: ReturnType<typeof createShapes>;
  readonly report: Report;
}

/** The keywords whose schemas describe no value that is sent. */
const NO_VALUES = ["not", "if", "propertyNames"];

/** Checks a subschema that describes a value or a part of it, then those in it. */
function checkPlace(place: Place, check: Check): void {
  const { schema, path, isWhole } = place;
  if (isWhole) checkShape(place, check);
  checkProperties(place, check);
  for (const { schema: inner, keyword, key } of subschemasOf(schema)) {
    if (NO_VALUES.includes(keyword)) continue;
    const name = key === undefined ? "" : `/${escapePointer(key)}`;
    const isPart = SAME_VALUE.includes(keyword);
    checkPlace({ schema: inner, path: `${path}/${keyword}${name}`, isWhole: !isPart }, check);
  }
}

/** Checks a schema of a whole value: required properties are described, objects are closed, lists are typed. */
function checkShape({ schema, path }: Place, { shapes, report }: Check): void {
  const required = listOf(schema.required);
  const declared: ReadonlySet<unknown> = required.length > 0 ? shapes.listNames(schema) : new Set();
  for (const name of required.filter((name) => !declared.has(name))) {
    const message = `"${name}" is required but not described: add it to properties.`;
    report("must", "required", { path: `${path}/required`, message });
  }
  if (schema.type === "array" && shapes.isOpen(schema)) {
    const message = "The items of this list may be anything: give them a type.";
    report("should", "free-form", { path: `${path}/items`, message });
  }
  const { additionalProperties: more, properties, patternProperties } = schema;
  // Open arguments break the contract. Open values inside them, or in an output, are tolerable.
  const severity = path === "/inputSchema" ? "must" : "should";
  for (const [pattern, inner] of Object.entries(objectOf(patternProperties))) {
    if (!shapes.isFreeForm(inner)) continue;
    const message = "Properties by this pattern may be anything: give them a type.";
    const place = `${path}/patternProperties/${escapePointer(pattern)}`;
    report(severity, "free-form", { path: place, message });
  }
  const isObject = schema.type === "object" || Object.keys(objectOf(properties)).length > 0;
  if (!isObject || schema.unevaluatedProperties === false) return;
  const place = `${path}/additionalProperties`;
  const how = "additionalProperties: false (z.strictObject)";
  if (more === undefined) {
    const message = `Undescribed properties are accepted: set ${how}.`;
    report("should", "closed-object", { path: place, message });
  } else if (shapes.isFreeForm(more)) {
    const message = `Any further property may be sent: close it with ${how}.`;
    report(severity, "free-form", { path: place, message });
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
      report(isInput ? "must" : "should", "free-form", { path: place, message });
    }
    if (!isInput) continue;
    const { description, ...keywords } = objectOf(inner);
    if (typeof description !== "string" || description.trim() === "") {
      const message = `"${name}" has no description: say what it means.`;
      report("should", "argument-description", { path: place, message });
    }
    if (isWhole && !required.has(name) && !Object.hasOwn(keywords, "default")) {
      const message = `"${name}" is optional and declares no default: declare it, or require it.`;
      report("should", "default", { path: place, message });
    }
  }
}

/** The keywords that restrict a value. Titles, comments and mere exclusions do not. */
const RESTRICTIONS =
  /^(type|enum|const|\$ref|\$dynamicRef|allOf|anyOf|oneOf|properties|patternProperties|propertyNames|items|prefixItems|contains|required|format|pattern|min.*|max.*|exclusive.*|multipleOf|uniqueItems)$/;
/** The keywords that restrict how many parts a value has or which ones, but not the parts themselves. */
const COUNTS = /^(type|required|(min|max)(Properties|Items)|uniqueItems)$/;

/** Creates functions that look into a document's schemas. Each schema is judged once, since many references may lead to it. */
function createShapes(root: JsonObject) {
  const { targets } = resolveReferences(root);
  const free = new Map<JsonObject, boolean>();
  const names = new Map<JsonObject, ReadonlySet<string>>();

  /** Returns true if any value passes a schema, also by an alternative or a reference. */
  const isFreeForm = (schema: unknown): boolean => {
    if (!isJsonObject(schema)) return schema === true;
    const known = free.get(schema) ?? judge(schema);
    free.set(schema, known);
    return known;
  };
  const judge = (schema: JsonObject): boolean => {
    const [key, ...more] = Object.keys(schema).filter((name) => RESTRICTIONS.test(name));
    if (key === undefined) return true;
    if (more.length > 0) return false;
    if (key === "anyOf" || key === "oneOf") return listOf(schema[key]).some(isFreeForm);
    const parts = key === "allOf" ? listOf(schema[key]) : targets(schema);
    return parts.length > 0 && parts.every(isFreeForm);
  };

  /** Returns true if a schema of lists or objects does not restrict their parts. */
  const isOpen = (schema: JsonObject): boolean => {
    const { items = true, additionalProperties = true, ...rest } = schema;
    const { type, properties, patternProperties, ...others } = rest;
    if (type !== "array" && type !== "object") return false;
    const restricts = (key: string) => RESTRICTIONS.test(key) && !COUNTS.test(key);
    if (Object.keys(others).some(restricts)) return false;
    if (Object.keys(objectOf(properties)).length > 0) return false;
    const patterns = Object.values(objectOf(patternProperties));
    return (type === "array" ? [items] : [additionalProperties, ...patterns]).every(isFreeForm);
  };

  /** Returns the properties that a schema names, itself or by a part that applies to the same value. */
  const listNames = (schema: JsonObject): ReadonlySet<string> => {
    const known = names.get(schema);
    if (known) return known;
    const parts = subschemasOf(schema).filter(({ keyword }) => SAME_VALUE.includes(keyword));
    const found = new Set(Object.keys(objectOf(schema.properties)));
    for (const part of [...parts.map(({ schema: part }) => part), ...targets(schema)]) {
      for (const name of listNames(part)) found.add(name);
    }
    names.set(schema, found);
    return found;
  };

  return { isFreeForm, isOpen, listNames };
}
