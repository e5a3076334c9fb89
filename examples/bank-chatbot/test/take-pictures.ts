// Takes the pictures of the page that the README shows, with the fake model:
//   node --conditions=@toolrail/source examples/bank-chatbot/test/take-pictures.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { DEMO_PIN } from "../src/bank/person-tools.ts";
import { findChromium } from "./find-chromium.ts";

interface Picture {
  readonly file: string;
  readonly mode: "AI SDK" | "LangGraph" | "Guard mode";
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  /** What is said, and what is there once it is answered. */
  readonly turns: readonly (readonly [says: string, shows: string])[];
  /** Does something more before the picture. */
  readonly last?: (page: Page) => Promise<void>;
}

const DESKTOP = 1280;
const PHONE = 390;
const LOCKED = [
  "Transfer 250 from my primary checking to my savings.",
  "How would you like to talk",
] as const;
const LARGE = [
  "Transfer 5000 from my savings to my everyday current.",
  "The amount is large.",
] as const;

const PICTURES: readonly Picture[] = [
  {
    ...{ file: "screenshot.png", mode: "AI SDK", colorScheme: "light", width: DESKTOP },
    turns: [LOCKED],
    async last(page) {
      await page.getByRole("button", { name: "Run it the relay way" }).click();
      await page.getByText("Measured just now").waitFor();
    },
  },
  {
    ...{ file: "screenshot-guard.png", mode: "Guard mode", colorScheme: "light", width: DESKTOP },
    turns: [
      [
        "What are the balances of my savings and my vacation fund?",
        "The guard refused a second call",
      ],
      [
        "My primary checking seems to be blocked. Can you check it?",
        "asks for a second one, “Initiate human handoff”",
      ],
    ],
  },
  {
    ...{ file: "screenshot-phone.png", mode: "LangGraph", colorScheme: "light", width: PHONE },
    turns: [LOCKED],
  },
  {
    ...{ file: "screenshot-phone-dark.png", mode: "AI SDK", colorScheme: "dark", width: PHONE },
    turns: [LARGE],
  },
];

await using started = new AsyncDisposableStack();
const executablePath = findChromium();
if (!executablePath) throw new Error("Install Chromium first.");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
started.defer(() => browser.close());
const url = await startDemo();
for (const picture of PICTURES) {
  await take(browser, { ...picture, url });
  console.log(picture.file);
}

/** Starts the demo, and returns its address. */
async function startDemo(): Promise<string> {
  const entry = fileURLToPath(new URL("../src/web-server/main.ts", import.meta.url));
  const args = ["--conditions=@toolrail/source", entry];
  const demo = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  started.defer(() => void demo.kill());
  const [line] = await once(createInterface(demo.stdout), "line");
  return String(line).slice(String(line).indexOf("http"));
}

async function take(
  browser: Browser,
  { file, mode, colorScheme, width, turns, last, url }: Picture & { readonly url: string },
): Promise<void> {
  const viewport = { width, height: width === PHONE ? 844 : 860 };
  const deviceScaleFactor = width === PHONE ? 2 : 1;
  const page = await browser.newPage({ viewport, colorScheme, deviceScaleFactor });
  await page.goto(url);
  await page.getByText(mode, { exact: true }).click();
  await page.getByRole("radio", { name: mode, checked: true }).waitFor({ state: "attached" });
  await page.locator("input[type=password]").fill(DEMO_PIN);
  await page.keyboard.press("Enter");
  await page.getByText("Thank you, you are signed in.").waitFor();
  for (const [says, shows] of turns) {
    await page.locator("[aria-busy=false]").waitFor();
    await page.locator("#message").fill(says);
    await page.keyboard.press("Enter");
    await page.getByText(shows).first().waitFor();
  }
  await last?.(page);
  await page.locator("[aria-busy=false]").waitFor();
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  await page.screenshot({ path });
  await page.close();
}
