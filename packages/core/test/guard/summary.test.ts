import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSummary } from "../../src/guard/index.ts";

const SOURCE = {
  id: "TCK-1042",
  title: "Invoice run fails",
  body: 'The invoice run failed\non 2026-11-18 for 1,250 customers.\nIt said "disk full" on host db_7.',
  fee: 1500,
  balance: -42.5,
};

function faults(claim: string, evidence: unknown, source: unknown = SOURCE): string[] {
  const verdict = checkSummary({ type: "summary", bullets: [{ claim, evidence }] }, source);
  expect(verdict.grounded).toBe(verdict.rejected.length === 0);
  return verdict.rejected.map(({ code }) => code);
}

describe("checkSummary", () => {
  it.each([
    [
      "a quote across a line break",
      "The run failed on 2026-11-18.",
      "invoice run failed on 2026-11-18",
    ],
    ["a quote with its line break", "The run failed.", "invoice run failed\non 2026-11-18"],
    ["a quote with an escaped line break", "The run failed.", "run failed\\non 2026-11-18 for"],
    ["a quote with quotation marks", "The disk was full.", 'It said "disk full" on host'],
    [
      "a quote with escaped quotation marks",
      "The disk was full.",
      'It said \\"disk full\\" on host',
    ],
    ["a quote of the JSON", "The fee is 1500.", '"fee":1500,"balance"'],
    ["a quote of the JSON with spaces", "The fee is 1500.", '"fee": 1500, "balance": -42.5}'],
    ["an identifier", "The host db_7 was full.", '"disk full" on host db_7'],
  ])("accepts %s", (_, claim, evidence) => {
    expect(faults(claim, evidence)).toEqual([]);
  });

  it.each([
    ["one letter", "The run failed.", "e", "not-in-source"],
    ["punctuation", "The run failed.", '": "', "not-in-source"],
    ["punctuation in escapes", "The run failed.", "\\u002e", "not-in-source"],
    ["a space in escapes", "The run failed.", "\\u0020", "not-in-source"],
    ["empty", "The run failed.", "", "not-in-source"],
    ["the question", "Invoices fail.", "Why does the invoice run fail?", "not-in-source"],
    ["a quote in other words", "The run failed.", "the invoice run has failed", "not-in-source"],
    ["a quote in other letters", "The run failed.", "THE INVOICE RUN FAILED", "not-in-source"],
    ["a number cut short", "It hit 1,25 customers.", "on 2026-11-18 for 1,25", "not-in-source"],
    ["a word cut short", "The run failed.", "The invoice run fail", "not-in-source"],
    ["a number without its sign", "The balance is 42.5.", "42.5}", "not-in-source"],
    ["a key", "The invoice run is fine.", "title", "not-a-value"],
    ["a key in its marks", "The fee is low.", '"fee":', "not-a-value"],
    ["two keys", "The title and body.", '"title"', "not-a-value"],
    ["about something else", "Customers are happy.", "disk full", "no-shared-word"],
    ["alike in empty words alone", "The cat is happy.", "The invoice run failed", "no-shared-word"],
    ["a changed number", "It hit 1,350 customers.", "for 1,250 customers", "fact-not-in-evidence"],
    [
      "a number from elsewhere",
      "It hit 1500 customers.",
      "for 1,250 customers",
      "fact-not-in-evidence",
    ],
    [
      "a changed date",
      "It failed on 2026-11-19.",
      "failed on 2026-11-18 for",
      "fact-not-in-evidence",
    ],
    [
      "a changed date in words",
      "It failed on 19 November 2026.",
      "failed on 2026-11-18 for",
      "fact-not-in-evidence",
    ],
    [
      "a changed month",
      "It failed on 18 December.",
      "failed on 2026-11-18 for",
      "fact-not-in-evidence",
    ],
    [
      "a changed identifier",
      "The host db_8 was full.",
      '"disk full" on host db_7',
      "fact-not-in-evidence",
    ],
    ["not a string", "The run failed.", 7, "malformed"],
    ["given to an empty claim", " ", "The invoice run failed", "malformed"],
    ["given to an endless claim", "x".repeat(10_001), "The invoice run failed", "malformed"],
  ])("rejects evidence that is %s", (_, claim, evidence, code) => {
    expect(faults(claim, evidence)).toContain(code);
  });

  it("judges the claims one by one, in every section, and keeps the sound ones", () => {
    const good = { claim: "The run failed.", evidence: "The invoice run failed" };
    const bad = { claim: "All is well.", evidence: "everything is fine" };
    const summary = {
      type: "summary",
      bullets: [good, bad, "x"],
      risks: [bad],
      recommendations: [good],
    };
    const verdict = checkSummary(summary, SOURCE);
    expect(verdict.grounded).toBe(false);
    expect(verdict.summary).toEqual({
      type: "summary",
      bullets: [good],
      risks: [],
      recommendations: [good],
    });
    expect(verdict.rejected.map(({ section, index }) => `${section} ${index}`)).toEqual([
      "bullets 1",
      "bullets 2",
      "risks 0",
    ]);
    expect(verdict.rejected[0]?.message).toContain("word for word");
  });

  it.each([
    ["a text", "summary", "must be an object"],
    ["null", null, "must be an object"],
    ["of another type", { type: "text", bullets: [] }, 'type must be "summary"'],
    ["without bullets", { type: "summary" }, "bullets is missing"],
    ["with an unknown section", { type: "summary", bullets: [], notes: [] }, 'unknown key "notes"'],
    ["of 201 claims", { type: "summary", bullets: Array(201).fill("x") }, "more than 200 claims"],
    [
      "with a section that is not a list",
      { type: "summary", bullets: {} },
      "bullets must be a list",
    ],
  ])("refuses a summary that is %s", (_, summary, problem) => {
    const verdict = checkSummary(summary, SOURCE);
    expect(verdict).toMatchObject({ grounded: false, summary: { bullets: [] }, rejected: [] });
    expect(verdict.problem).toContain(problem);
  });

  it("calls a summary without claims ungrounded", () => {
    expect(checkSummary({ type: "summary", bullets: [] }, SOURCE).grounded).toBe(false);
  });

  it("reads a source that is JSON text as it reads the value", () => {
    const evidence = "invoice run failed on 2026-11-18";
    expect(faults("The run failed.", evidence, JSON.stringify(SOURCE))).toEqual([]);
  });

  it("does not hang on a source that repeats itself", () => {
    const bullets = Array.from({ length: 200 }, () => ({ claim: "So.", evidence: "aaaaaaaaaa" }));
    const verdict = checkSummary({ type: "summary", bullets }, "a".repeat(1_000_000));
    expect(verdict.rejected).toHaveLength(200);
  });

  it("never keeps a claim whose evidence is not a quote, whatever the summary", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("for 1,250 customers", "TCK-1042", "1500"));
    const claim = fc.oneof(fc.record({ claim: text, evidence: text }), fc.anything());
    const input = fc.oneof(
      fc.record({ type: fc.constant("summary"), bullets: fc.array(claim) }),
      fc.anything(),
    );
    const source = fc.oneof(fc.string(), fc.constant("It ran for 1,250 customers."));
    fc.assert(
      fc.property(input, source, (summary, from) => {
        for (const { evidence } of checkSummary(summary, from).summary.bullets) {
          const plain = (value: string) => value.normalize("NFC").replace(/\s+/g, " ").trim();
          expect(plain(from)).toContain(plain(evidence));
        }
      }),
    );
  });

  it("rejects every claim in which one digit of the source was changed", () => {
    const digit = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 99_999 }), digit, fc.nat(4), (number, change, at) => {
        const source = `The total came to ${number} euros this month.`;
        const digits = [...String(number)];
        const place = at % digits.length;
        const changed = digits
          .map((old, index) => (index === place ? String(change) : old))
          .join("");
        const isSame = Number(changed) === number;
        expect(faults(`The total is ${changed}.`, source, source)).toEqual(
          isSame ? [] : ["fact-not-in-evidence"],
        );
      }),
    );
  });
});
