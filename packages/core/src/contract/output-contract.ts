import { isJsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import { resolveReferences } from "../schema/references.ts";
import { walkSchema } from "../schema/walk-schema.ts";
import { at, type Finding } from "./contract-finding.ts";
import { isFreeForm, isOpenList, isOpenObject } from "./free-form.ts";
import { checkShape, propertiesOf, unusable } from "./shape-contract.ts";

const OUTPUT = "/outputSchema";

/** What the contract finds wrong with an output schema: it must describe `structuredContent`. */
export function checkOutputContract(schema: unknown, validator: JsonSchemaValidator): Finding[] {
  const { must } = at(OUTPUT);
  if (schema === undefined) {
    return [must("output-schema", "It has no outputSchema: describe its structuredContent.")];
  }
  const defect = isJsonObject(schema) ? unusable(schema, validator) : "it is not an object";
  if (defect || !isJsonObject(schema)) {
    const message = `Its outputSchema is unusable: ${defect}.`;
    return [at(OUTPUT, "mcp").must("output-schema", message)];
  }
  const references = resolveReferences(schema);
  if ([isFreeForm, isOpenObject, isOpenList].some((isOpen) => isOpen(schema, references))) {
    const message =
      "Its outputSchema says nothing about structuredContent: name and type its fields.";
    return [must("free-form", message)];
  }
  return walkSchema(schema, OUTPUT).flatMap((place) => [
    ...checkShape(place, references),
    ...propertiesOf(place)
      .filter((field) => isFreeForm(field.schema, references))
      .map(({ path }) => at(path).should("free-form", "This field has no type: give it one.")),
  ]);
}
