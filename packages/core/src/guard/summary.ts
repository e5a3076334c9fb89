import { isJsonObject, measure } from "../json.ts";

/** The parts of a summary; each is a list of claims. */
export type SummarySection = "bullets" | "risks" | "recommendations";

/** A claim, and the words of the source that it rests on. */
export interface Claim {
  readonly claim: string;
  readonly evidence: string;
}

/** A summary as a model is asked to write it. */
export interface Summary {
  readonly type: "summary";
  readonly bullets: readonly Claim[];
  readonly risks?: readonly Claim[];
  readonly recommendations?: readonly Claim[];
}

export const SECTIONS: readonly SummarySection[] = ["bullets", "risks", "recommendations"];
const LIMITS = { maxBytes: 1_048_576, maxDepth: 8 };
const MAX_CLAIMS = 200;

/** Why a value is no summary, whatever its claims say; `undefined` where it is one. */
export function summaryProblem(input: unknown): string | undefined {
  if (!isJsonObject(input)) return "The summary must be an object.";
  const size = measure(input, LIMITS);
  if (size) return `The summary was refused: ${size}.`;
  const { type, ...sections } = input;
  if (type !== "summary") return 'The summary must say type "summary".';
  for (const [key, value] of Object.entries(sections)) {
    if (!SECTIONS.some((section) => section === key)) {
      return `The summary has the unknown section "${key}"; known are ${SECTIONS.join(", ")}.`;
    }
    if (!Array.isArray(value)) return `The section "${key}" must be a list of claims.`;
  }
  const claims = Object.values(sections).flat();
  if (claims.length > MAX_CLAIMS) return `The summary has more than ${MAX_CLAIMS} claims.`;
  return "bullets" in sections ? undefined : "The summary has no bullets.";
}
