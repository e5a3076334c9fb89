import { describe, expect, it } from "vitest";
import { createHost } from "../../src/index.ts";
import { toStandardSchema } from "../../src/json/standard-schema.ts";
import { createTestServer } from "../servers.ts";

const SUM = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };

describe("toStandardSchema", () => {
  it("A value that the JSON Schema accepts is passed on.", () => {
    const value = { sum: 3 };
    expect(toStandardSchema(SUM)["~standard"].validate(value)).toEqual({ value });
  });

  it("An issue says where a value breaks the JSON Schema.", () => {
    const { validate } = toStandardSchema(SUM)["~standard"];
    expect(validate({ sum: "3" })).toEqual({ issues: [{ message: "/sum must be number" }] });
  });

  it("A schema that cannot be compiled throws when it is used, and not before.", () => {
    const broken = toStandardSchema({ type: "nonsense" });
    expect(() => broken["~standard"].validate(1)).toThrow(/not valid JSON Schema/);
  });

  it("A host parses its results by it.", async () => {
    const { client } = await createTestServer({
      good: { answer: () => ({ content: [], structuredContent: { sum: 3 } }) },
      bad: { answer: () => ({ content: [], structuredContent: {} }) },
    });
    const schema = toStandardSchema<{ sum: number }>(SUM);
    const host = await createHost({
      servers: { math: client },
      schemas: { "math.good": schema, "math.bad": schema },
    });
    const good = await host.call({ tool: "math.good" });
    expect(good.output).toEqual({ status: "valid", value: { sum: 3 } });
    const bad = await host.call({ tool: "math.bad" });
    expect(bad.output).toMatchObject({ status: "invalid" });
  });
});
