import { z } from "zod";
import { hasHiddenText, sentence } from "../json/plain-text.ts";
import { readShape } from "../json/shape.ts";
import {
  createQuoteTest,
  missingFacts,
  type QuoteTest,
  sharesWord,
  unescapeJson,
} from "./evidence.ts";

const MAX_CLAIMS = 200;
/** The maximum characters of a claim and of its evidence. */
const MAX_LENGTH = 10_000;

const someText = /* @__PURE__ */ z
  .string()
  .max(MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`);
const CLAIM = /* @__PURE__ */ z.strictObject({
  claim: someText
    .regex(/\S/, "is empty")
    .refine((text) => !hasHiddenText(text), "contains invisible characters"),
  evidence: someText,
});
const claims = /* @__PURE__ */ z.array(z.unknown());
const SUMMARY = /* @__PURE__ */ z
  .strictObject({
    type: z.literal("summary"),
    bullets: claims,
    risks: claims.optional(),
    recommendations: claims.optional(),
  })
  .refine(
    ({ bullets, risks = [], recommendations = [] }) =>
      bullets.length + risks.length + recommendations.length <= MAX_CLAIMS,
    `has more than ${MAX_CLAIMS} claims`,
  );

/** The sections of a summary. Each is a list of claims. */
export type SummarySection = "bullets" | "risks" | "recommendations";

/** A claim with its evidence, a quote from the source. */
export type Claim = z.infer<typeof CLAIM>;

/** A summary as a model writes it. */
export interface Summary extends Partial<Record<SummarySection, readonly Claim[]>> {
  readonly type: "summary";
  readonly bullets: readonly Claim[];
}

/** A claim that may not be shown, and why. */
export interface RejectedClaim extends ClaimFault {
  readonly section: SummarySection;
  readonly index: number;
  readonly claim: unknown;
}

interface ClaimFault {
  /** `not-a-value`: its evidence quotes the name of a field and no value. */
  readonly code:
    | "malformed"
    | "not-in-source"
    | "not-a-value"
    | "no-shared-word"
    | "fact-not-in-evidence";
  readonly message: string;
}

/** The result of a check: the grounded claims of a summary, and the rejected ones. */
export interface SummaryVerdict {
  /**
   * True if there is a claim, and each claim shares words with a value that it quotes and contains only numbers of its quote.
   * Whether a claim follows from its quote, or contradicts it, is not checked.
   */
  readonly grounded: boolean;
  /** The summary without its rejected claims. */
  readonly summary: Summary;
  readonly rejected: readonly RejectedClaim[];
  /** The reason why the input is not a summary. Absent if it is one. */
  readonly problem?: string;
}

/** Writes a system prompt for a model that summarizes a result with evidence. */
export function summaryPrompt(): string {
  return [
    "Summarise the JSON that the user gives you as one JSON object and no other text:",
    '{"type":"summary","bullets":[{"claim":"...","evidence":"..."}],"risks":[...],"recommendations":[...]}.',
    "risks and recommendations may be left out. Each evidence is copied from a value of the JSON word for word,",
    "has words in common with its claim, and holds every number, date and identifier of its claim; the claim writes them just as the evidence does.",
  ].join("\n");
}

/**
 * Checks each claim of a summary against its source: the text or value that the tool returned. The evidence must be a verbatim
 * quote, contain part of a value, and share a word with the claim. Every number, date and identifier of the claim must be in the
 * evidence, written in the same way. Does not check whether a claim follows from its evidence.
 */
export function checkSummary(input: unknown, source: unknown): SummaryVerdict {
  const { value, defect } = readShape(SUMMARY, input);
  if (defect !== undefined) return noSummary(sentence(`This is no summary: ${defect}`));
  const { type, ...sections } = value;
  const isQuote = createQuoteTest(source);
  const rejected: RejectedClaim[] = [];
  const grounded: Partial<Record<SummarySection, readonly Claim[]>> = {};
  for (const [section, list] of Object.entries(sections) as [SummarySection, unknown[]][]) {
    grounded[section] = list.filter((claim, index): claim is Claim => {
      const fault = findFault(claim, isQuote);
      if (fault) rejected.push({ section, index, claim, ...fault });
      return fault === undefined;
    });
  }
  const isGrounded = rejected.length === 0 && Object.values(grounded).flat().length > 0;
  return { grounded: isGrounded, summary: { type, bullets: [], ...grounded }, rejected };
}

export function noSummary(problem: string): SummaryVerdict {
  return { grounded: false, summary: { type: "summary", bullets: [] }, rejected: [], problem };
}

function findFault(input: unknown, isQuote: QuoteTest): ClaimFault | undefined {
  const fault = (code: ClaimFault["code"], message: string) => ({ code, message });
  const { value, defect } = readShape(CLAIM, input);
  if (defect !== undefined) return fault("malformed", sentence(`This is no claim: ${defect}`));
  const { claim, evidence } = value;
  const quoted = isQuote(evidence);
  if (quoted === undefined)
    return fault("not-in-source", "The evidence does not occur in the source word for word.");
  if (quoted === "keys")
    return fault("not-a-value", "The evidence is only the name of a field: quote its value.");
  const plain = unescapeJson(evidence);
  if (!sharesWord(claim, plain))
    return fault("no-shared-word", "The claim has no word in common with its evidence.");
  const missing = missingFacts(claim, plain).map((fact) => `"${fact}"`);
  if (missing.length === 0) return undefined;
  const message = `The claim says ${missing.join(" and ")}, but its evidence does not.`;
  return fault("fact-not-in-evidence", message);
}
