// Takes the pictures that the README of the bank chatbot shows, with the fake model:
//   node --conditions=@toolrail/source scripts/take-bank-pictures.ts
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";
import { findChromium } from "./find-chromium.ts";
import { startProcess } from "./start-process.ts";

const EXAMPLE = new URL("../examples/bank-chatbot/", import.meta.url);

const DESKTOP = { viewport: { width: 1280, height: 860 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
const LOCKED = "Transfer 250 from my primary checking to my savings.";

await using started = new AsyncDisposableStack();
const executablePath = findChromium();
if (!executablePath) throw new Error("Install Chromium first.");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
started.defer(() => browser.close());

const entry = fileURLToPath(new URL("src/web-server/main.ts", EXAMPLE));
const args = ["--conditions=@toolrail/source", entry];
const demo = await startProcess({ args, cwd: ".", env: {}, ready: /http/ });
started.defer(demo.stop);
const [url = ""] = /http\S+/.exec(demo.lines.join("\n")) ?? [];

const desktop = await open("AI SDK", DESKTOP);
await say(desktop, LOCKED, "How would you like to talk");
await desktop.getByRole("button", { name: "Run it the relay way" }).click();
await desktop.getByText("Measured just now").waitFor();
await take(desktop, "screenshot.png");

const guarded = await open("Guard mode", DESKTOP);
const two = "What are the balances of my savings and my vacation fund?";
await say(guarded, two, "The guard refused a second call");
const blocked = "My primary checking seems to be blocked. Can you check it?";
await say(guarded, blocked, "asks for a second one");
await take(guarded, "screenshot-guard.png");

const phone = await open("LangGraph", PHONE);
await say(phone, LOCKED, "How would you like to talk");
await take(phone, "screenshot-phone.png");

const dark = await open("AI SDK", { ...PHONE, colorScheme: "dark" });
await say(dark, "Transfer 5000 from my savings to my everyday current.", "The amount is large.");
await take(dark, "screenshot-phone-dark.png");

/** Opens the page, and starts a conversation in that mode. */
async function open(mode: string, device: object): Promise<Page> {
  const page = await browser.newPage(device);
  await page.goto(url);
  await page.getByText(mode, { exact: true }).click();
  await page.getByRole("radio", { name: mode, checked: true }).waitFor({ state: "attached" });
  await page.getByText("What can I do for you?").waitFor();
  return page;
}

/** Says something, and waits for what is there once it is answered. */
async function say(page: Page, text: string, shows: string): Promise<void> {
  await page.locator("[aria-busy=false]").waitFor();
  await page.locator("#message").fill(text);
  await page.keyboard.press("Enter");
  await page.getByText(shows).first().waitFor();
}

async function take(page: Page, file: string): Promise<void> {
  await page.locator("[aria-busy=false]").waitFor();
  await page.screenshot({ path: fileURLToPath(new URL(file, EXAMPLE)) });
}
