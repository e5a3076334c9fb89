import { references } from "@toolrail/core/references";
import { describe, expect, it } from "vitest";

describe("references", () => {
  it("names all its options if one of them is misspelt", () => {
    expect(() => references({ hole: 1 } as object)).toThrow(
      /references.hole does not exist. Use one of minLength, ttlMs\./,
    );
  });
});
