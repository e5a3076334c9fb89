import type { JsonObject } from "../json.ts";
import schema from "./pipe-spec.schema.json" with { type: "json" };

/** The JSON Schema (2020-12) of a pipe spec, made from the schema that parses it. */
export function pipeSpecSchema(): JsonObject {
  return structuredClone(schema);
}
