// Takes the pictures of the page that the README shows, with the fake model:
//   node --conditions=@toolrail/source examples/bank-chatbot/test/take-pictures.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { findChromium } from "../../../scripts/find-chromium.ts";
import { DEMO_PIN } from "../src/bank/person-tools.ts";

interface Picture {
  readonly file: string;
  readonly mode: "AI SDK" | "LangGraph" | "Guard mode";
  readonly device: object;
  /** What is said, and what is there once it is answered. */
  readonly turns: readonly (readonly [says: string, shows: string])[];
  /** Does something more before the picture. */
  readonly last?: (page: Page) => Promise<void>;
}

const DESKTOP = { viewport: { width: 1280, height: 860 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
const LOCKED = [
  "Transfer 250 from my primary checking to my savings.",
  "How would you like to talk",
] as const;

const PICTURES: readonly Picture[] = [
  {
    ...{ file: "screenshot.png", mode: "AI SDK", device: DESKTOP, turns: [LOCKED] },
    async last(page) {
      await page.getByRole("button", { name: "Run it the relay way" }).click();
      await page.getByText("Measured just now").waitFor();
    },
  },
  {
    ...{ file: "screenshot-guard.png", mode: "Guard mode", device: DESKTOP },
    turns: [
      [
        "What are the balances of my savings and my vacation fund?",
        "The guard refused a second call",
      ],
      ["My primary checking seems to be blocked. Can you check it?", "asks for a second one"],
    ],
  },
  { file: "screenshot-phone.png", mode: "LangGraph", device: PHONE, turns: [LOCKED] },
  {
    ...{ file: "screenshot-phone-dark.png", mode: "AI SDK" },
    device: { ...PHONE, colorScheme: "dark" },
    turns: [["Transfer 5000 from my savings to my everyday current.", "The amount is large."]],
  },
];

await using started = new AsyncDisposableStack();
const executablePath = findChromium();
if (!executablePath) throw new Error("Install Chromium first.");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
started.defer(() => browser.close());

const entry = fileURLToPath(new URL("../src/web-server/main.ts", import.meta.url));
const demo = spawn(process.execPath, ["--conditions=@toolrail/source", entry], {
  stdio: ["ignore", "pipe", "inherit"],
});
started.defer(() => void demo.kill());
const [line] = await once(createInterface(demo.stdout), "line");
const url = String(line).slice(String(line).indexOf("http"));

for (const { file, mode, device, turns, last } of PICTURES) {
  const page = await browser.newPage(device);
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
  await page.screenshot({ path: fileURLToPath(new URL(`../${file}`, import.meta.url)) });
  await page.close();
  console.log(file);
}
