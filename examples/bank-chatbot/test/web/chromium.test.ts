import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { INSTALL_CHROMIUM } from "./chromium.ts";

test.each(["README.md", ".ci/run"])(
  "%s gives the line that installs what the browser tests need",
  (name) => {
    const text = readFileSync(new URL(`../../../../${name}`, import.meta.url), "utf8");
    expect(text.split("\n")).toContain(INSTALL_CHROMIUM);
  },
);
