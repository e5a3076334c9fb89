import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { DEMO_PIN } from "../../src/store/sign-ins.ts";
import { buildPage, type PageFiles } from "../../src/web-server/page-files.ts";
import { findChromium, INSTALL_CHROMIUM, launchChromium } from "./chromium.ts";
import { type MortalBank, startMortalBank } from "./mortal-bank.ts";
import { startWeb, type WebOptions } from "./start-web.ts";

/** The browser of the tests; undefined where none is installed, and then they are skipped. */
export const chromium = findChromium();
if (!chromium) {
  console.warn(`The browser tests are skipped: no Chromium. Install it with: ${INSTALL_CHROMIUM}`);
}

export interface Visit {
  readonly bank: MortalBank;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly modelCalls: readonly unknown[];
}

export interface VisitOptions extends Partial<WebOptions> {
  readonly browsing?: BrowserContextOptions;
}

/** Opens one browser for all tests of a block; a visit is a signed-in customer with a bank of their own. */
export function openBrowser(): (options?: VisitOptions) => Promise<Visit> {
  let browser: Browser;
  let built: PageFiles;
  beforeAll(async () => {
    built = await buildPage();
    browser = await launchChromium(String(chromium));
  });
  afterAll(async () => {
    await browser?.close();
    await built?.remove();
  });

  return async ({ browsing, ...options } = {}) => {
    const bank = await startMortalBank();
    const { url, modelCalls } = await startWeb({ bank: bank.url, page: built, ...options });
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...browsing,
    });
    onTestFinished(async () => {
      await context.close();
      await bank.close();
    });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(url.href);
    await field(page, "Your four-digit PIN").fill(DEMO_PIN);
    await page.keyboard.press("Enter");
    await page.getByText("Thank you, you are signed in.").waitFor();
    await answered(page);
    return { bank, context, page, modelCalls };
  };
}

/** Waits for the end of the turn under way: before that, Enter does nothing. */
export async function answered(page: Page): Promise<void> {
  await page.locator("[role=log][aria-busy=false]").waitFor();
}

export async function say(page: Page, text: string): Promise<void> {
  await answered(page);
  await page.getByLabel("Your message").fill(text);
  await page.getByLabel("Your message").press("Enter");
}

export const field = (page: Page, name: string) => page.locator("input").and(page.getByLabel(name));
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Says how much; the accounts and the confirmation are left to controls. */
export async function prepareTransfer(page: Page): Promise<void> {
  await say(page, "I would like to transfer money.");
  await field(page, "How much would you like to transfer?").fill("50");
  await answered(page);
  await page.keyboard.press("Enter");
  await button(page, "High Yield Savings").click();
  await button(page, "Everyday Current").click();
  await button(page, "Confirm").waitFor();
  await answered(page);
}
