import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { expect } from "vitest";

/** What every tool of the bank promises: titles, descriptions, closed schemas, and all four hints. */
export function expectContract({ title, description, annotations, ...schemas }: Tool): void {
  expect(title).toBeTruthy();
  expect(description?.length).toBeGreaterThan(30);
  for (const schema of [schemas.inputSchema, schemas.outputSchema]) {
    expect(schema).toMatchObject({ type: "object", additionalProperties: false });
    for (const field of Object.values(schema?.properties ?? {})) {
      expect(field).toHaveProperty("description", expect.stringMatching(/.{10,}/));
    }
  }
  expect(annotations).toMatchObject({
    readOnlyHint: expect.any(Boolean),
    destructiveHint: expect.any(Boolean),
    idempotentHint: expect.any(Boolean),
    openWorldHint: false,
  });
}
