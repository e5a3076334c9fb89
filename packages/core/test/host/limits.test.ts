import { describe, expect, it } from "vitest";
import { resolveLimits } from "../../src/host/limits.ts";
import { ToolrailError } from "../../src/index.ts";

describe("resolveLimits", () => {
  it("fills in the defaults", () => {
    expect(resolveLimits()).toMatchObject({ maxChainDepth: 5, callTimeoutMs: 60_000 });
    expect(resolveLimits({ maxChainDepth: 9 })).toMatchObject({ maxChainDepth: 9 });
  });

  it("takes undefined for the default", () => {
    const given = { maxChainDepth: undefined } as unknown as { maxChainDepth: number };
    expect(resolveLimits(given).maxChainDepth).toBe(5);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null])("refuses %s", (value) => {
    const given = { maxChainDepth: value } as unknown as { maxChainDepth: number };
    expect(() => resolveLimits(given)).toThrow(/limits.maxChainDepth must be a whole number/);
  });

  it("refuses a timeout that no timer can wait, which would be none", () => {
    const most = 2_147_483_647;
    expect(resolveLimits({ callTimeoutMs: most }).callTimeoutMs).toBe(most);
    expect(() => resolveLimits({ callTimeoutMs: most + 1 })).toThrow(/at most 2147483647/);
    expect(resolveLimits({ maxResultBytes: most + 1 }).maxResultBytes).toBe(most + 1);
  });

  it("refuses an unknown name, and says which there are", () => {
    const given = { maxDepth: 5 } as object;
    expect(() => resolveLimits(given)).toThrow(ToolrailError);
    expect(() => resolveLimits(given)).toThrow(/limits.maxDepth is not a limit.*maxChainDepth/);
  });
});
