import { isJsonObject, type JsonObject } from "@toolrail/json";

export function readFields({ properties, required }: JsonObject) {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, field]) => {
    return { name, schema: isJsonObject(field) ? field : {}, isRequired: needed.has(name) };
  });
}
