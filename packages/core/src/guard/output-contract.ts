import { isJsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import { resolveReferences } from "../schema/references.ts";
import { objectOf, walkSchema } from "../schema/walk-schema.ts";
import { type Finding, must, should } from "./contract-finding.ts";
import { isFreeForm, isOpenList, isOpenObject } from "./free-form.ts";
import { checkShape, propertyPath, unusable } from "./shape-contract.ts";

const OUTPUT = "/outputSchema";

/** What the contract finds wrong with an output schema: it must describe `structuredContent`. */
export function checkOutputContract(schema: unknown, validator: JsonSchemaValidator): Finding[] {
  if (schema === undefined) {
    const message = "It has no outputSchema: describe its structuredContent.";
    return [must("output-schema", OUTPUT, message)];
  }
  const defect = isJsonObject(schema) ? unusable(schema, validator) : "it is not an object";
  if (defect || !isJsonObject(schema)) {
    return [must("output-schema", OUTPUT, `Its outputSchema is unusable: ${defect}.`)];
  }
  const references = resolveReferences(schema);
  if ([isFreeForm, isOpenObject, isOpenList].some((isOpen) => isOpen(schema, references))) {
    const message = "Its outputSchema says nothing of structuredContent: name and type its fields.";
    return [must("free-form", OUTPUT, message)];
  }
  return walkSchema(schema, OUTPUT).flatMap((place) => [
    ...checkShape(place, references),
    ...Object.entries(objectOf(place.schema.properties)).flatMap(([name, field]) =>
      isFreeForm(field, references)
        ? [should("free-form", propertyPath(place, name), "This field has no type: give it one.")]
        : [],
    ),
  ]);
}
