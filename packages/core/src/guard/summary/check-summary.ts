import { isJsonObject } from "../../json/json.ts";
import { hasHiddenText } from "../../json/plain-text.ts";
import {
  collapse,
  createQuoteTest,
  missingFacts,
  type QuoteTest,
  sharesWord,
  unescapeJson,
} from "./evidence.ts";

const SECTIONS = ["bullets", "risks", "recommendations"] as const;

/** The sections of a summary. Each is a list of claims. */
export type SummarySection = (typeof SECTIONS)[number];

/** A claim with its evidence, a quote from the source. */
export interface Claim {
  readonly claim: string;
  readonly evidence: string;
}

/** A summary as a model writes it. */
export interface Summary {
  readonly type: "summary";
  readonly bullets: readonly Claim[];
  readonly risks?: readonly Claim[];
  readonly recommendations?: readonly Claim[];
}

/** The reason why a claim is not grounded. */
export type ClaimFault =
  | "malformed"
  /** The evidence is not a verbatim quote of the source. */
  | "not-in-source"
  /** The evidence quotes only keys of the source and no value. */
  | "not-a-value"
  /** The claim and its evidence have no word in common. */
  | "no-shared-word"
  /** A number, date or identifier of the claim is not in its evidence. */
  | "fact-not-in-evidence";

/** A claim that may not be shown, with the reasons. */
export interface RejectedClaim {
  readonly section: SummarySection;
  readonly index: number;
  readonly claim: unknown;
  readonly reasons: readonly { readonly code: ClaimFault; readonly message: string }[];
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

const MAX_CLAIMS = 200;
/** The maximum characters of a claim and of its evidence. */
const MAX_LENGTH = 10_000;

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
  const sections = readSections(input);
  if (typeof sections === "string") return noSummary(sections);
  const isQuote = createQuoteTest(source);
  const rejected: RejectedClaim[] = [];
  const kept = sections.map(([section, claims]) => {
    const grounded = claims.filter((claim, index): claim is Claim => {
      const reasons = claimFaults(claim, isQuote);
      if (reasons.length > 0) rejected.push({ section, index, claim, reasons });
      return reasons.length === 0;
    });
    return [section, grounded] as const;
  });
  const summary: Summary = { type: "summary", bullets: [], ...Object.fromEntries(kept) };
  const grounded = rejected.length === 0 && kept.some(([, claims]) => claims.length > 0);
  return { grounded, summary, rejected };
}

export function noSummary(problem: string): SummaryVerdict {
  return { grounded: false, summary: { type: "summary", bullets: [] }, rejected: [], problem };
}

function claimFaults(input: unknown, isQuote: QuoteTest): RejectedClaim["reasons"] {
  const fault = (code: ClaimFault, message: string) => [{ code, message }];
  const { claim, evidence, ...rest } = isJsonObject(input) ? input : {};
  if (typeof claim !== "string" || typeof evidence !== "string" || Object.keys(rest).length > 0) {
    return fault("malformed", "A claim must be an object { claim, evidence } of two strings.");
  }
  if (claim.trim() === "") return fault("malformed", "The claim is empty.");
  if (Math.max(claim.length, evidence.length) > MAX_LENGTH) {
    const message = `A claim and its evidence may have at most ${MAX_LENGTH} characters.`;
    return fault("malformed", message);
  }
  if (hasHiddenText(claim)) return fault("malformed", "The claim contains invisible characters.");
  const quoted = isQuote(evidence);
  if (quoted === undefined) {
    return fault("not-in-source", "The evidence does not occur in the source word for word.");
  }
  if (quoted === "keys") {
    return fault("not-a-value", "The evidence is only the name of a field: quote its value.");
  }
  if (!sharesWord(claim, unescapeJson(evidence))) {
    return fault("no-shared-word", "The claim has no word in common with its evidence.");
  }
  return missingFacts(collapse(claim), collapse(unescapeJson(evidence))).flatMap((fact) => {
    return fault("fact-not-in-evidence", `The claim says "${fact}", but its evidence does not.`);
  });
}

/** Reads the sections of a summary. Returns the reason if a value is not a summary. */
function readSections(input: unknown): (readonly [SummarySection, readonly unknown[]])[] | string {
  if (!isJsonObject(input)) return "The summary must be an object.";
  const { type, ...sections } = input;
  if (type !== "summary") return 'The summary must have the type "summary".';
  for (const [key, value] of Object.entries(sections)) {
    if (!SECTIONS.some((section) => section === key)) {
      return `The summary has the unknown section "${key}"; use ${SECTIONS.join(", ")}.`;
    }
    if (!Array.isArray(value)) return `The section "${key}" must be a list of claims.`;
  }
  if (!("bullets" in sections)) return "The summary has no bullets.";
  const all = Object.entries(sections) as [SummarySection, readonly unknown[]][];
  const count = all.flatMap(([, claims]) => claims).length;
  return count > MAX_CLAIMS ? `The summary has more than ${MAX_CLAIMS} claims.` : all;
}
