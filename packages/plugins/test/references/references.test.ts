import { createHost } from "@toolrail/core";
import { references } from "@toolrail/plugins/references";
import { describe, expect, it } from "vitest";

describe("references", () => {
  it("names all its options if one of them is misspelt", () => {
    expect(() => references({ hole: 1 } as object)).toThrow(
      /references.hole does not exist. Use one of minLength, ttlMs\./,
    );
  });

  it("is no option of a host any more", async () => {
    const options = {
      servers: { a: { list: async () => ({ tools: [] }), call: async () => ({}) } },
      references: true,
    };
    await expect(createHost(options)).rejects.toThrow(
      'no option "references" any more: write `use: [references()]`, with `references` of @toolrail/plugins/references',
    );
  });
});
