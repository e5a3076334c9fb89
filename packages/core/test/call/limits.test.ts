import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, resolveLimits } from "../../src/call/limits.ts";
import { ToolrailError } from "../../src/index.ts";

describe("resolveLimits", () => {
  it("fills in the defaults", () => {
    expect(resolveLimits(DEFAULT_LIMITS)).toMatchObject({
      maxChainDepth: 5,
      callTimeoutMs: 60_000,
    });
    expect(resolveLimits(DEFAULT_LIMITS, { maxChainDepth: 9 })).toMatchObject({ maxChainDepth: 9 });
  });

  it("takes undefined for the default", () => {
    const given = { maxChainDepth: undefined } as unknown as { maxChainDepth: number };
    expect(resolveLimits(DEFAULT_LIMITS, given).maxChainDepth).toBe(5);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null])("refuses %s", (value) => {
    const given = { maxChainDepth: value } as unknown as { maxChainDepth: number };
    expect(() => resolveLimits(DEFAULT_LIMITS, given)).toThrow(
      /limits.maxChainDepth must be a whole number/,
    );
  });

  it("refuses a timeout that is longer than any timer can wait", () => {
    const most = 2_147_483_647;
    expect(resolveLimits(DEFAULT_LIMITS, { callTimeoutMs: most }).callTimeoutMs).toBe(most);
    expect(() => resolveLimits(DEFAULT_LIMITS, { callTimeoutMs: most + 1 })).toThrow(
      /at most 2147483647/,
    );
    expect(resolveLimits(DEFAULT_LIMITS, { maxResultBytes: most + 1 }).maxResultBytes).toBe(
      most + 1,
    );
  });

  it("refuses an unknown name, and says which there are", () => {
    const given = { maxDepth: 5 } as object;
    expect(() => resolveLimits(DEFAULT_LIMITS, given)).toThrow(ToolrailError);
    expect(() => resolveLimits(DEFAULT_LIMITS, given)).toThrow(
      /limits.maxDepth does not exist.*maxChainDepth/,
    );
  });
});
