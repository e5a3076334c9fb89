import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSummary } from "../../src/index.ts";

/** The codes of the faults of one claim, whose evidence is the whole source. */
function faults(claim: string, source: string, evidence = source): string[] {
  const summary = { type: "summary", bullets: [{ claim, evidence }] };
  const { rejected } = checkSummary(summary, source);
  return rejected.flatMap(({ reasons }) => reasons.map(({ code }) => code));
}

describe("a claim", () => {
  it.each([
    ["The deposit is 1,000 euros.", "The deposit of 1 000 euros is held"],
    ["The price is 1000.00 euros.", "The price is 1.000,00 euros"],
    ["There are five tickets.", "There are 5 open tickets"],
    ["There are 25 tickets.", "There are twenty-five open tickets"],
    ["It earned 2,500,000 euros.", "It earned 2.5 million euros"],
    ["It earned two million five hundred euros.", "It earned 2,000,500 euros"],
    ["A 30-day window.", "The window is 30 days long"],
    ["The profit was minus 5 euros.", "The profit was -5 euros"],
    ["Twenty percent left.", "We lost 20% of all users"],
    ["The share is 20%.", '{"share_percent":20}'],
    ["It runs from 10–20 degrees.", "It runs from 10-20 degrees"],
    ["It is due at 10:30 on 15 March 2025.", "It is due 2025-03-15T10:30:00Z"],
    ["It is due at 10:30 pm.", "It is due at 22:30 today"],
    ["It is due in March.", "It is due on 2025-03-15"],
    ["One of the tickets, e.g. the first, may wait.", "There are some open tickets"],
    ["有15个文件", "共有15个文件不可退款"],
    ["返金は14日後", "返金は14日後です。"],
    ["보증 12개월", "보증 기간은 12개월이며 환불은 불가능합니다"],
    ["الضمان 12 شهرا", "الضمان صالح لمدة 12 شهرا"],
    ["12 חודשים", "האחריות תקפה ל-12 חודשים"],
  ])("may say %j of %j", (claim, source) => {
    expect(faults(claim, source)).toEqual([]);
  });

  it.each([
    ["The deposit is 1 euro.", "The deposit of 1 000 euros is held"],
    ["The deposit is 1 franc.", "The deposit is 1'000 francs"],
    ["The deposit is 1 euro.", "The deposit is 1.000 euros"],
    ["There are 5 million tickets.", "There are 5 open tickets"],
    ["There are five thousand tickets.", "There are 5 open tickets"],
    ["There are a dozen tickets.", "There are 5 open tickets"],
    ["There are fifty tickets.", "There are 5 open tickets"],
    ["There are zero tickets.", "There are 5 open tickets"],
    ["There are thousands of tickets.", "There are 5 open tickets"],
    ["There are 5\u200b0 tickets.", "There are 5 open tickets and 0 closed ones"],
    ["The balance is \u202e001 euros.", "The balance is 001 euros"],
    ["We lost 20 users.", "We lost 20% of all users"],
    ["It costs $5.", "The balance is -$5 today"],
    ["It is due at 22:30 on 2025-03-15.", "It is due 2025-03-15T10:30:00Z"],
    ["It is due at 10:30:45Z.", "It is due 2025-03-15T10:30:45+02:00"],
    ["It is due at 10:30 am.", "It is due at 22:30 today"],
    ["It is due in April.", "It is due on 2025-03-15"],
    ["See INV-2024.", "The invoice is INV-2024-001"],
    ["See B-2024-03-15.", "The invoice is A-2024-03-15"],
    ["Write to b@c.example.", "Write to a.b@c.example today"],
    ["Pay at https://evil.example/x.", "Pay at https://bank.example/x"],
    ["Pay at evil.example.", "Pay at https://bank.example/x"],
    ["有16个文件", "共有15个文件不可退款"],
    ["返金は15日後", "返金は14日後です。"],
  ])("must not say %j of %j", (claim, source) => {
    expect(faults(claim, source)).not.toEqual([]);
  });

  it("may be in any form of a number that its evidence has in another", () => {
    const forms: ((value: number) => string)[] = [
      String,
      (value) => value.toLocaleString("en-US"),
      (value) => value.toLocaleString("en-US").replaceAll(",", " "),
      (value) => `${value.toLocaleString("de-DE")},00`,
      (value) => `${value / 1e6} million`,
      (value) => `${value / 1e3} thousand`,
    ];
    const form = fc.constantFrom(...forms);
    const value = fc.integer({ min: 10_000, max: 99_999_999 });
    fc.assert(
      fc.property(value, value, form, form, (said, known, say, write) => {
        const found = faults(`They sold ${say(said)} seats.`, `They sold ${write(known)} seats.`);
        expect(found).toEqual(said === known ? [] : ["fact-not-in-evidence"]);
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
    ["We earned about 5", "We earned about 5 million euros"],
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
    expect(faults("…", source, evidence)).toEqual([]);
  });
});
