import { existsSync } from "node:fs";

/** Where Chromium is installed; undefined, with a word about it, where it is not. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  const path = [CHROMIUM_PATH ?? "/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
  if (!path) {
    console.warn("The browser test is skipped: no Chromium. The README says how to install it.");
  }
  return path;
}
