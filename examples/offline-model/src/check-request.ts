import { BadRequest } from "./bad-request.ts";
import { type ChatMessage, type ChatRequest, isRecord } from "./chat-request.ts";
import type { ProviderRules } from "./provider-profile.ts";

/** Throws BadRequest for requests that the provider is known to refuse. One bad tool fails the whole request. */
export function checkRequest({ messages, toolsAsSent }: ChatRequest, rules: ProviderRules): void {
  checkTools(Array.isArray(toolsAsSent) ? toolsAsSent : [], rules);
  checkCalls(messages, rules);
}

function checkTools(tools: readonly unknown[], rules: ProviderRules): void {
  const { toolName, says } = rules;
  const names = new Set<string>();
  for (const [at, tool] of tools.entries()) {
    const definition = isRecord(tool) && isRecord(tool.function) ? tool.function : {};
    const name = String(definition.name);
    if (!toolName.test(name)) throw new BadRequest(says.toolName(at, name), "tools");
    if (names.has(name)) throw new BadRequest(says.twice(name), "tools");
    names.add(name);
    const what =
      topDefect(definition.parameters, rules) ??
      innerDefect(definition.parameters, { rules, at: [] });
    if (what) throw new BadRequest(says.schema(at, { tool: name, what }), "tools");
  }
}

function topDefect(schema: unknown, { notAtTop, propertyName }: ProviderRules): string | undefined {
  if (!isRecord(schema) || schema.type !== "object") return `schema must be of type "object"`;
  const refused = notAtTop.filter((keyword) => Object.hasOwn(schema, keyword));
  if (refused.length > 0) {
    return `schema must have type 'object' and not have ${refused.join("/")} at the top level`;
  }
  const key = Object.keys(schema.properties ?? {}).find((name) => !propertyName.test(name));
  return key && `Property keys should match pattern '${propertyName.source}'`;
}

/** Finds an object without `properties` or an array without `items`, at any depth. */
function innerDefect(
  schema: unknown,
  { rules, at }: { readonly rules: ProviderRules; readonly at: readonly string[] },
): string | undefined {
  if (Array.isArray(schema)) return firstOf(schema.map((one) => innerDefect(one, { rules, at })));
  if (!isRecord(schema)) return undefined;
  const context = `In context=(${at.map((key) => `'${key}'`).join(", ")})`;
  if (rules.needsProperties && schema.type === "object" && !isRecord(schema.properties)) {
    return `${context}, object schema missing properties`;
  }
  if (rules.needsItems && schema.type === "array" && schema.items === undefined) {
    return `${context}, array schema missing items`;
  }
  const named = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  const parts = ["items", "additionalProperties", "anyOf", "oneOf", "allOf"];
  return firstOf([
    ...named.map(([name, one]) => innerDefect(one, { rules, at: [...at, "properties", name] })),
    ...parts.map((key) => innerDefect(schema[key], { rules, at: [...at, key] })),
  ]);
}

function firstOf(texts: readonly (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined);
}

/** Checks that every call is answered before the next message, and that every answer is one to a call. */
function checkCalls(messages: readonly ChatMessage[], { callId, says }: ProviderRules): void {
  let open: readonly string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === "tool") {
      const id = String(message.tool_call_id);
      if (!open.includes(id)) throw new BadRequest(says.orphan(at, id), "messages");
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0) throw new BadRequest(says.unanswered(at - 1, open), "messages");
    open = callIdsOf(message);
    const bad = open.find((id) => !callId.test(id));
    if (bad !== undefined) throw new BadRequest(says.callId(at, bad), "messages");
  }
  if (open.length > 0) {
    throw new BadRequest(says.unanswered(messages.length - 1, open), "messages");
  }
}

function callIdsOf({ tool_calls: calls }: ChatMessage): string[] {
  return Array.isArray(calls) ? calls.filter(isRecord).map(({ id }) => String(id)) : [];
}
