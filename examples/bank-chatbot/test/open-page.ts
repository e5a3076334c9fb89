import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { DEMO_PIN } from "../src/bank/person-tools.ts";
import type { ConversationOptions } from "../src/conversation/create-conversation.ts";
import { type Page as BuiltPage, buildPage } from "../src/web-server/build-page.ts";
import { startWebServer } from "../src/web-server/web-server.ts";

interface PageOptions {
  readonly conversation: Omit<ConversationOptions, "mode">;
  readonly browsing?: BrowserContextOptions;
}

/** The measured costs of the relay way, as the page shows them. */
const RELAY = { modelCalls: 7, tokens: 9876, ms: 5 };

/**
 * Starts Chromium for the tests of this group, and returns a function that opens the page of the bank. The page and its server
 * are closed when the test has finished.
 */
export function useBrowser(executablePath = "") {
  let browser: Browser;
  let built: BuiltPage;
  beforeAll(async () => {
    built = await buildPage();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());
  return async ({ conversation, browsing }: PageOptions): Promise<Page> => {
    const app = { model: "a fake model", pin: DEMO_PIN };
    const measureRelay = async () => RELAY;
    const web = await startWebServer({ page: built, app, conversation, measureRelay });
    const context = await browser.newContext(browsing);
    onTestFinished(async () => {
      await context.close();
      await web.close();
    });
    const page = await context.newPage();
    await page.goto(web.url);
    return page;
  };
}
