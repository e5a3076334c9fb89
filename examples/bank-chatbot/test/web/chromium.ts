import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** The line of the README that installs what the browser tests need. */
export const INSTALL_CHROMIUM =
  "apt-get update && apt-get install -y --no-install-recommends chromium fonts-liberation";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** An installed Chromium, or the one of `CHROMIUM_PATH`; undefined where there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  return (CHROMIUM_PATH ? [CHROMIUM_PATH] : PLACES).find((path) => existsSync(path));
}

/** Starts it without a sandbox (which root has none of) and without any call home. */
export function launchChromium(executablePath: string): Promise<Browser> {
  const args = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  return chromium.launch({ executablePath, args });
}
