import { isJsonObject, type JsonObject, messageOf } from "@toolrail/json";
import {
  type JsonSchemaValidator,
  resolveReferences,
  schemaDefect,
  walkSchema,
} from "@toolrail/json/schema";
import { checkArguments, checkFields, checkShape } from "./check-place.ts";
import type { Report } from "./contract-finding.ts";
import { isFreeForm, isOpen } from "./free-form.ts";

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
  if (schema === undefined && !isInput) {
    report.must(rule, { path, message: `It has no ${side}: describe its structuredContent.` });
    return;
  }
  const defect = isJsonObject(schema) ? unusable(schema, validator) : "it is not an object";
  if (defect || !isJsonObject(schema)) {
    report.must(rule, { path, message: `Its ${side} is unusable: ${defect}.`, source: "mcp" });
    return;
  }
  if (isInput && schema.type !== "object") {
    const message = 'Its inputSchema must say type "object".';
    report.must(rule, { path: `${path}/type`, message, source: "mcp" });
    return;
  }
  const references = resolveReferences(schema);
  if (!isInput && (isFreeForm(schema, references) || isOpen(schema, references))) {
    const message =
      "Its outputSchema says nothing about structuredContent: name and type its fields.";
    report.must("free-form", { path, message });
    return;
  }
  const checkProperties = isInput ? checkArguments : checkFields;
  for (const place of walkSchema(schema, path)) {
    if (place.whole) checkShape(place, { references, report });
    checkProperties(place, { references, report });
  }
}

/** Returns the reason why a schema cannot be used, or `undefined`. */
function unusable(schema: JsonObject, validator: JsonSchemaValidator): string | undefined {
  const defect = schemaDefect(schema);
  if (defect) return defect;
  try {
    validator.getValidator(schema);
    return undefined;
  } catch (cause) {
    return messageOf(cause).replace(/\.$/, "");
  }
}
