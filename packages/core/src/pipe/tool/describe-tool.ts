import { isJsonObject, type JsonObject } from "../../json/json.ts";
import { shorten } from "../../json/plain-text.ts";
import type { Tool } from "../../types/tool.ts";

/** The level of detail of a description, from the name alone to everything. */
export type Detail = "name" | "arguments" | "fields" | "all";

/** Describes a tool in one line for the author of a pipe: `- web_fetch(url) -> {content}: Fetches a page.` */
export function describeTool(
  tool: Tool,
  { name, detail }: { readonly name: string; readonly detail: Detail },
): string {
  if (detail === "name") return `- ${name}`;
  const call = `- ${name}(${describeMembers(tool.inputSchema, 0)})`;
  if (detail === "arguments") return call;
  const fields = tool.outputSchema ? ` -> ${describeType(tool.outputSchema, 2)}` : " -> text";
  const sentence = detail === "fields" ? "" : firstSentence(tool.description ?? "");
  return `${call}${fields}${sentence && `: ${sentence}`}`;
}

/** Lists names and all types except strings. Optional names get a question mark. Follows no references. */
function describeMembers({ properties, required }: JsonObject, depth: number): string {
  if (!isJsonObject(properties)) return "";
  const needed = new Set(Array.isArray(required) ? required : []);
  const members = Object.entries(properties).slice(0, 24);
  return members
    .map(([key, schema]) => {
      const type = describeType(schema, depth);
      return `${clean(key, 40)}${needed.has(key) ? "" : "?"}${type === "string" ? "" : `: ${type}`}`;
    })
    .join(", ");
}

function describeType(schema: unknown, depth: number): string {
  if (!isJsonObject(schema)) return "any";
  const { type, items, enum: values } = schema;
  if (Array.isArray(values) && values.length <= 6) {
    return values.map((value) => clean(JSON.stringify(value) ?? "", 30)).join("|");
  }
  if (type === "array") return `${describeType(items, depth)}[]`;
  if (type === "object" || isJsonObject(schema.properties)) {
    const members = depth > 0 ? describeMembers(schema, depth - 1) : "";
    return members === "" ? "object" : `{${members}}`;
  }
  return typeof type === "string" ? clean(type, 20) : "any";
}

function firstSentence(description: string): string {
  const text = clean(description, 160);
  const end = text.search(/[.!?](\s|$)/);
  return end < 0 ? text : text.slice(0, end + 1);
}

/** Removes line breaks, control and direction characters, since descriptions come from untrusted servers. */
function clean(text: string, most: number): string {
  const start = text.slice(0, most * 4);
  return shorten(start.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim(), most);
}
