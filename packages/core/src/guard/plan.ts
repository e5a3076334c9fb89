import { ambiguityIn } from "../ambiguous-json.ts";
import { ToolrailError } from "../errors.ts";
import type { CallRequest } from "../host/call-request.ts";
import { isJsonObject, type JsonObject, measure } from "../json.ts";

/** A planner's wish to call one tool. */
export interface CallPlan {
  readonly type: "call_tool";
  readonly server?: string;
  /** `server.tool`, or the tool's own name. */
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** A planner's way to call nothing: it says what it would need to know. */
export interface AnswerPlan {
  readonly type: "final_answer";
  readonly needs_more_info: true;
  readonly answer: string;
}

export type Plan = CallPlan | AnswerPlan;

const LIMITS = { maxBytes: 1_048_576, maxDepth: 64 };

/**
 * Reads a planner's answer, which must be exactly one JSON object: no text around it, no second plan, no
 * unknown or repeated key, no whole number beyond those that are exact. Whether the plan may be carried out is for `checkPlan` to say. Throws
 * `malformed-plan`.
 */
export function parsePlan(text: string): Plan {
  if (typeof text !== "string") throw malformed("it is not a text");
  if (text.length > LIMITS.maxBytes) throw malformed(`it is longer than ${LIMITS.maxBytes} bytes`);
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch (cause) {
    const error =
      "it must be one JSON object and nothing else, without text or a code fence around it";
    throw malformed(error, cause);
  }
  if (!isJsonObject(plan)) throw malformed("it must be one JSON object");
  const size = measure(plan, LIMITS);
  if (size) throw malformed(size);
  const doubt = ambiguityIn(text);
  if (doubt !== undefined) throw malformed(doubt);
  return toPlan(plan);
}

/** As `parsePlan`, for a plan that is a value already. */
export function toPlan(plan: unknown): Plan {
  if (!isJsonObject(plan)) throw malformed("it must be one JSON object");
  switch (plan.type) {
    case "call_tool": {
      const { type, server, tool, arguments: args = {}, ...rest } = plan;
      refuseUnknown(rest, "type, server, tool and arguments");
      if (typeof tool !== "string" || tool === "") throw malformed("tool must be a name");
      if (server !== undefined && (typeof server !== "string" || server === "")) {
        throw malformed("server must be a name");
      }
      if (!isJsonObject(args)) throw malformed("arguments must be an object");
      return { type, tool, arguments: args, ...(server !== undefined && { server }) };
    }
    case "final_answer": {
      const { type, needs_more_info, answer, ...rest } = plan;
      refuseUnknown(rest, "type, needs_more_info and answer");
      if (needs_more_info !== true) {
        throw malformed(
          "a final_answer must say needs_more_info: true, for facts come from tools alone",
        );
      }
      if (typeof answer !== "string" || answer.trim() === "") {
        throw malformed("answer must say what information is missing");
      }
      return { type, needs_more_info, answer };
    }
    default:
      throw malformed('its type must be "call_tool" or "final_answer"');
  }
}

function refuseUnknown(rest: JsonObject, known: string): void {
  const [key] = Object.keys(rest);
  if (key !== undefined) throw malformed(`it has the unknown key "${key}"; known are ${known}`);
}

function malformed(why: string, cause?: unknown): ToolrailError {
  return new ToolrailError("malformed-plan", `The plan was refused: ${why}.`, { cause });
}

/** The call that a plan means. */
export function toRequest({ server, tool, arguments: args }: CallPlan): CallRequest {
  return { tool: server === undefined ? tool : { server, name: tool }, arguments: args };
}
