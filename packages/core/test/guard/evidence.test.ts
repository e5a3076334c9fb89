import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSummary } from "../../src/guard/index.ts";

/** The codes of the faults of one claim, whose evidence is the whole source unless another is given. */
function faults(claim: string, source: string, evidence = source): string[] {
  const summary = { type: "summary", bullets: [{ claim, evidence }] };
  const { rejected } = checkSummary(summary, source);
  return rejected.map(({ code }) => code);
}

describe("a claim", () => {
  it.each([
    ["The deposit is 1 000 euros.", "The deposit of 1 000 euros is held"],
    ["The total is 1,250.00.", "The total came to 1,250.00, all told"],
    ["Founded in 2012.", "The company was founded in 2012."],
    ["It costs €5, as (5 %) of all.", "It costs €5 or 5% of all"],
    ["The balance is −42.5.", '{"balance":-42.5}'],
    ["It runs from 10–20 degrees.", "It runs from 10-20 degrees"],
    ["It is due at 10:30:45Z on 2025-03-15.", "It is due 2025-03-15 at 10:30:45Z"],
    ["The host db_7's disk is full.", 'It said "disk full" on host db_7'],
    ["Write to a.b@c.example.", "Write to a.b@c.example today"],
    ["One of the tickets, e.g. the first, may wait.", "There are some open tickets"],
    ["有15个文件", "共有15个文件不可退款"],
    ["返金は14日後", "返金は14日後です。"],
    ["보증 12개월", "보증 기간은 12개월이며 환불은 불가능합니다"],
    ["الضمان ١٢ شهرا", "الضمان صالح لمدة ١٢ شهرا"],
    ["12 חודשים", "האחריות תקפה ל-12 חודשים"],
  ])("may say %j of %j", (claim, source) => {
    expect(faults(claim, source)).toEqual([]);
  });

  it.each([
    ["The deposit is 1 euro.", "The deposit of 1 000 euros is held"],
    ["The deposit is 1 franc.", "The deposit is 1'000 francs"],
    ["The deposit is 1 euro.", "The deposit is 1.000 euros"],
    ["The total is 250.", "The total is 1,250.00"],
    ["The total is 1,250.", "The total is 1,250.00"],
    ["There are 12 of them.", "It was founded in 2012"],
    ["There are 20 of them.", "It was founded in 2012"],
    ["There are 50 tickets.", "There are 5 open tickets and 0 closed ones"],
    ["There are 5\u200b0 tickets.", "There are 5 open tickets and 0 closed ones"],
    ["There are 5\u200d0 tickets.", "There are 5 open tickets and 0 closed ones"],
    ["There are 5·0 tickets.", "There are 5 open tickets and 0 closed ones"],
    ["The balance is \u202e001 euros.", "The balance is 001 euros"],
    ["There are ٥ tickets.", "There are ٦ open tickets"],
    ["There are Ⅷ tickets.", "There are Ⅶ open tickets"],
    ["We lost 20 users.", "We lost 20% of all users"],
    ["We lost 20% of them.", "We lost 20 users"],
    ["It costs $5.", "The balance is -$5 today"],
    ["It costs $5.", "It costs €5"],
    ["The balance is 42.5.", '{"balance":-42.5}'],
    ["It is due at 10:30.", "It is due 2025-03-15T10:30:00Z"],
    ["It is due on 2025-03-16.", "It is due on 2025-03-15"],
    ["See INV-2024.", "The invoice is INV-2024-001"],
    ["See B-2024-03-15.", "The invoice is A-2024-03-15"],
    ["The host db_8 was full.", "The disk of host db_7 is full"],
    ["Write to b@c.example.", "Write to a.b@c.example today"],
    ["Pay at https://evil.example/x.", "Pay at https://bank.example/x"],
    ["Pay at evil.example.", "Pay at https://bank.example/x"],
    ["有16个文件", "共有15个文件不可退款"],
    ["返金は15日後", "返金は14日後です。"],
  ])("must not say %j of %j", (claim, source) => {
    expect(faults(claim, source)).not.toEqual([]);
  });

  it("may say a number exactly if its evidence has that number, in whatever form both write it", () => {
    const forms: ((value: number) => string)[] = [
      String,
      (value) => value.toLocaleString("en-US"),
      (value) => value.toLocaleString("en-US").replaceAll(",", " "),
      (value) => `${value.toLocaleString("de-DE")},00`,
      (value) => `$${value}`,
      (value) => `-${value}`,
      (value) => `${value}%`,
    ];
    const form = fc.constantFrom(...forms);
    const value = fc.integer({ min: 10, max: 99_999_999 });
    fc.assert(
      fc.property(value, value, form, (said, known, write) => {
        const source = `They sold ${write(known)} seats.`;
        const expected = said === known ? [] : ["fact-not-in-evidence"];
        expect(faults(`Sold: ${write(said)}.`, source)).toEqual(expected);
        expect(faults(`Sold: ${write(known)}.`, source)).toEqual([]);
      }),
    );
  });

  it("may say no part of a token, wherever the token is cut", () => {
    const token = fc.stringMatching(/^[A-Z0-9][A-Z0-9.,:/_-]{1,12}[0-9]$/);
    fc.assert(
      fc.property(token, fc.nat(), (whole, cut) => {
        const part = whole.slice(0, 1 + (cut % (whole.length - 1)));
        fc.pre(/\d$/.test(part));
        expect(faults(`See ${part} now.`, `It is ${whole} now.`)).toEqual(["fact-not-in-evidence"]);
        expect(faults(`See ${whole} now.`, `It is ${whole} now.`)).toEqual([]);
      }),
    );
  });
});

describe("a quote", () => {
  it.each([
    ["refundable within 30 days", "Returns are non-refundable within 30 days"],
    ["All of the users can", "All of the users can't cancel orders"],
    ["All of the users can", "All of the users can’t cancel orders"],
    ["The deposit of 1", "The deposit of 1 000 euros is held"],
    ["000 euros is held", "The deposit of 1 000 euros is held"],
    ["250 euros", "Revenue was 1,250 euros"],
    ["12 employees", "In 2012 employees left"],
    ["We lost about 20", "We lost about 20% of all users"],
    ["$5 on the account", "There is -$5 on the account"],
    ["evil.example for more", "See not-evil.example for more"],
    ["वारंटी बारह मह", "वारंटी बारह महीने के लिए"],
  ])("may not be %j of %j", (evidence, source) => {
    expect(faults("It says so.", source, evidence)).toEqual(["not-in-source"]);
  });

  it.each([
    ["保修期为十二个月", "本产品保修期为十二个月，不可退款"],
    ["รับประกันสิบสอง", "สินค้ารับประกันสิบสองเดือน"],
    ["in 2024 500 people came", "It was in 2024 500 people came"],
    ["held for Alice", 'It is held for "Alice" today, held for Alice.'],
  ])("may be %j of %j", (evidence, source) => {
    expect(faults(evidence, source, evidence)).toEqual([]);
  });
});
