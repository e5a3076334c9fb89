import { canonicalJson, type JsonObject } from "@toolrail/core/json";
import { toMeta } from "./next-call.ts";
import { idOf, type ToolPlan, type World } from "./tool-plan.ts";

/** Stands in all that is for the user alone; no model may read it. */
export const USER_ONLY = "eyes-of-the-user";
/** Stands in every `_meta`; no model may read it. */
export const META_ONLY = "in-the-meta";

/** A short text that is another for every other value. */
function digest(value: unknown): string {
  let hash = 0x811c9dc5;
  for (const char of canonicalJson(value)) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** A number from 0 up to `sides`, by a value. */
export function dice(value: unknown, sides: number): number {
  return Number.parseInt(digest(value), 36) % sides;
}

/** The result of a call: a pure function of the tool and its arguments, which never come back themselves. */
export function answer(plan: ToolPlan, args: JsonObject, { tools }: World): unknown {
  if (plan.says === "breaks") throw new Error("The line is dead.");
  if (plan.says === "garbles") return { content: "not a list" };
  const asked = plan.next && toMeta(plan.next, { args, tools });
  return { ...say(plan, digest([idOf(plan), args])), _meta: { own: META_ONLY, ...asked } };
}

const FOR_USER = { annotations: { audience: ["user"] } };
const _meta = { own: META_ONLY };

function say({ says, name }: ToolPlan, value: string): object {
  const fields = { v: value, list: [value, { deep: 1 }], none: null };
  const text = { type: "text", text: `${name} ${value}`, _meta };
  const secret = { type: "text", text: `${USER_ONLY} ${value}`, ...FOR_USER };
  switch (says) {
    case "json":
      return {
        content: [{ type: "text", text: JSON.stringify(fields) }],
        structuredContent: fields,
      };
    case "assistant":
      return { content: [{ ...text, annotations: { audience: ["assistant"] } }] };
    case "both":
      return { content: [secret, text], structuredContent: fields };
    case "user":
      return { content: [secret], structuredContent: { ...fields, v: `${USER_ONLY} ${value}` } };
    case "media":
      return { content: [...media(value), text] };
    case "nothing":
      return { content: [] };
    case "error":
      return { content: [text, secret], isError: true };
    case "user-error":
      return { content: [secret], isError: true };
    case "untrue":
      return { content: [text], structuredContent: { v: 7 } };
    default:
      return { content: [text], structuredContent: fields };
  }
}

function media(value: string): object[] {
  const resource = { uri: "file:///r", text: `resource ${value}`, _meta };
  return [
    { type: "image", data: "aGk=", mimeType: "image/png", _meta },
    { type: "resource", resource, _meta },
    { type: "resource_link", uri: "file:///l", name: `link ${value}`, _meta },
  ];
}
