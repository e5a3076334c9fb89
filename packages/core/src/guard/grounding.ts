import { isJsonObject, type JsonObject } from "../json.ts";
import { missingFacts } from "./claim-facts.ts";
import { hasHiddenText } from "./hidden-text.ts";
import { collapse, createQuoteTest, type QuoteTest, unescapeJson } from "./quotes.ts";
import {
  type Claim,
  SECTIONS,
  type Summary,
  type SummarySection,
  summaryProblem,
} from "./summary.ts";
import { weightOf } from "./word-edges.ts";

/** Why a claim is not grounded. */
export type ClaimFault =
  | "malformed"
  /** The evidence is too short to show anything. */
  | "evidence-too-short"
  /** The evidence does not stand in the source word for word. */
  | "not-in-source"
  /** A number, date or identifier of the claim does not stand in its evidence. */
  | "fact-not-in-evidence";

export interface RejectedClaim {
  readonly section: SummarySection;
  readonly index: number;
  /** As the model wrote it. */
  readonly claim: unknown;
  readonly reasons: readonly { readonly code: ClaimFault; readonly message: string }[];
}

export interface SummaryVerdict {
  /** All claims are grounded, and there is at least one. */
  readonly grounded: boolean;
  /** The summary without its rejected claims. */
  readonly summary: Summary;
  readonly rejected: readonly RejectedClaim[];
  /** Why the whole is no summary, if so. */
  readonly problem?: string;
}

export interface SummaryOptions {
  /** Fewest letters and digits of an evidence. Default 8. */
  readonly minEvidence?: number;
}

/** Most characters of a claim and of its evidence. */
const MAX_LENGTH = 10_000;

/**
 * Checks each claim of a summary against its source: the text, or the value, that the one tool returned.
 * The evidence must be a verbatim quote of some length, and hold the numbers, dates, times and
 * identifiers of its claim; numbers and months in words are read in English. Units, and whether a claim
 * follows from its evidence, are more than this can see.
 */
export function checkSummary(
  input: unknown,
  source: unknown,
  { minEvidence = 8 }: SummaryOptions = {},
): SummaryVerdict {
  const problem = summaryProblem(input);
  const given: JsonObject = isJsonObject(input) && problem === undefined ? input : {};
  const isQuote = createQuoteTest(source);
  const rejected: RejectedClaim[] = [];
  const kept: { [section in SummarySection]?: Claim[] } = {};
  for (const section of SECTIONS) {
    const claims = given[section];
    if (!Array.isArray(claims)) continue;
    kept[section] = claims.filter((claim: unknown, index): claim is Claim => {
      const reasons = claimFaults(claim, isQuote, minEvidence);
      if (reasons.length > 0) rejected.push({ section, index, claim, reasons });
      return reasons.length === 0;
    });
  }
  const { bullets = [], risks, recommendations } = kept;
  const summary: Summary = {
    type: "summary",
    bullets,
    ...(risks && { risks }),
    ...(recommendations && { recommendations }),
  };
  const count = Object.values(kept).flat().length;
  const grounded = problem === undefined && rejected.length === 0 && count > 0;
  return { grounded, summary, rejected, ...(problem !== undefined && { problem }) };
}

function claimFaults(
  input: unknown,
  isQuote: QuoteTest,
  minEvidence: number,
): RejectedClaim["reasons"] {
  const fault = (code: ClaimFault, message: string) => [{ code, message }];
  const { claim, evidence, ...rest } = isJsonObject(input) ? input : {};
  if (typeof claim !== "string" || typeof evidence !== "string" || Object.keys(rest).length > 0) {
    return fault("malformed", "A claim is an object { claim, evidence } of two texts.");
  }
  if (claim.trim() === "") return fault("malformed", "The claim is empty.");
  if (Math.max(claim.length, evidence.length) > MAX_LENGTH) {
    return fault("malformed", `A claim and its evidence have ${MAX_LENGTH} characters at most.`);
  }
  if (hasHiddenText(claim)) {
    return fault("malformed", "The claim holds characters that nobody can see.");
  }
  const quote = collapse(unescapeJson(evidence));
  if (weightOf(quote) < minEvidence) {
    const message = `The evidence has fewer than ${minEvidence} letters and digits: quote more.`;
    return fault("evidence-too-short", message);
  }
  if (!isQuote(evidence)) {
    const message = "The evidence does not stand in the source word for word.";
    return fault("not-in-source", message);
  }
  return missingFacts(collapse(claim), quote).flatMap((fact) =>
    fault("fact-not-in-evidence", `The claim says ${fact}, and its evidence does not.`),
  );
}
