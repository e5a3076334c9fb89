import { hasHiddenText } from "../../contract/hidden-text.ts";
import { isJsonObject, measure } from "../../json.ts";
import { missingFacts } from "./facts.ts";
import { collapse, createQuoteTest, type QuoteTest, unescapeJson } from "./quotes.ts";

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

/** Why a claim is not grounded. */
export type ClaimFault =
  | "malformed"
  /** The evidence does not occur in the source word for word. */
  | "not-in-source"
  /** A number, date or identifier of the claim does not stand in its evidence. */
  | "fact-not-in-evidence";

/** A claim of a summary that may not be shown, and why. */
export interface RejectedClaim {
  readonly section: SummarySection;
  readonly index: number;
  /** As the model wrote it. */
  readonly claim: unknown;
  readonly reasons: readonly { readonly code: ClaimFault; readonly message: string }[];
}

/** What a check leaves of a summary. */
export interface SummaryVerdict {
  /** All claims are grounded, and there is at least one. */
  readonly grounded: boolean;
  /** The summary without its rejected claims. */
  readonly summary: Summary;
  readonly rejected: readonly RejectedClaim[];
  /** Why the input is not a summary at all. Absent where it is one. */
  readonly problem?: string;
}

const SECTIONS: readonly SummarySection[] = ["bullets", "risks", "recommendations"];
const LIMITS = { maxBytes: 1_048_576, maxDepth: 8 };
const MAX_CLAIMS = 200;
/** Most characters of a claim and of its evidence. */
const MAX_LENGTH = 10_000;

/**
 * Checks each claim of a summary against its source: the text, or the value, that the one tool returned.
 * The evidence must be a verbatim quote, and every number, date and identifier of the claim must stand in
 * it as the claim writes it. Whether a claim follows from its evidence is more than this can see.
 */
export function checkSummary(input: unknown, source: unknown): SummaryVerdict {
  const problem = summaryProblem(input);
  const given = (problem === undefined ? input : {}) as { readonly [key: string]: unknown[] };
  const isQuote = createQuoteTest(source);
  const rejected: RejectedClaim[] = [];
  const kept = SECTIONS.filter((section) => given[section]).map((section) => {
    const claims = given[section]?.filter((claim: unknown, index): claim is Claim => {
      const reasons = claimFaults(claim, isQuote);
      if (reasons.length > 0) rejected.push({ section, index, claim, reasons });
      return reasons.length === 0;
    });
    return [section, claims ?? []] as const;
  });
  const summary: Summary = { type: "summary", bullets: [], ...Object.fromEntries(kept) };
  const hasClaims = kept.some(([, claims]) => claims.length > 0);
  const grounded = problem === undefined && rejected.length === 0 && hasClaims;
  return { grounded, summary, rejected, ...(problem !== undefined && { problem }) };
}

function claimFaults(input: unknown, isQuote: QuoteTest): RejectedClaim["reasons"] {
  const malformed = (message: string) => [{ code: "malformed" as const, message }];
  const { claim, evidence, ...rest } = isJsonObject(input) ? input : {};
  if (typeof claim !== "string" || typeof evidence !== "string" || Object.keys(rest).length > 0) {
    return malformed("A claim must be an object { claim, evidence } of two strings.");
  }
  if (claim.trim() === "") return malformed("The claim is empty.");
  if (Math.max(claim.length, evidence.length) > MAX_LENGTH) {
    return malformed(`A claim and its evidence may have at most ${MAX_LENGTH} characters.`);
  }
  if (hasHiddenText(claim)) return malformed("The claim contains invisible characters.");
  if (!/[\p{L}\p{N}]/u.test(evidence) || !isQuote(evidence)) {
    const message = "The evidence does not occur in the source word for word.";
    return [{ code: "not-in-source", message }];
  }
  return missingFacts(collapse(claim), collapse(unescapeJson(evidence))).map((fact) => {
    const message = `The claim says "${fact}", but its evidence does not.`;
    return { code: "fact-not-in-evidence", message };
  });
}

/** Why a value is not a summary, whatever its claims say; `undefined` where it is one. */
function summaryProblem(input: unknown): string | undefined {
  if (!isJsonObject(input)) return "The summary must be an object.";
  const size = measure(input, LIMITS);
  if (size) return `The summary is invalid: ${size}.`;
  const { type, ...sections } = input;
  if (type !== "summary") return 'The summary must have the type "summary".';
  for (const [key, value] of Object.entries(sections)) {
    if (!SECTIONS.some((section) => section === key)) {
      return `The summary has the unknown section "${key}"; use ${SECTIONS.join(", ")}.`;
    }
    if (!Array.isArray(value)) return `The section "${key}" must be a list of claims.`;
  }
  const claims = Object.values(sections).flat();
  if (claims.length > MAX_CLAIMS) return `The summary has more than ${MAX_CLAIMS} claims.`;
  return "bullets" in sections ? undefined : "The summary has no bullets.";
}
