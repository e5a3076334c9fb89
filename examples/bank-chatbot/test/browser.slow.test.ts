import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findChromium } from "../../../scripts/find-chromium.ts";
import { type Page as BuiltPage, buildPage } from "../src/web-server/build-page.ts";
import { startWebServer } from "../src/web-server/web-server.ts";
import { startParts } from "./start-conversation.ts";

const LOCKED = "Transfer 250 from my primary checking to my savings.";
const LARGE = "Transfer 5000 from my savings to my everyday current.";
const WIDTHS = [320, 360, 390, 430, 480, 600, 768, 1280] as const;

const executablePath = findChromium() ?? "";

describe.skipIf(!executablePath)("The page of the bank chatbot", () => {
  let browser: Browser;
  let built: BuiltPage;
  beforeAll(async () => {
    built = await buildPage();
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());

  /** Opens the page with a bank and a model of its own, until the test has ended. */
  async function openPage(browsing?: BrowserContextOptions) {
    const parts = await startParts();
    const web = await startWebServer({
      ...{ page: built, conversation: parts.options },
      measureRelay: async () => ({ modelCalls: 7, tokens: 9876, ms: 5 }),
    });
    const context = await browser.newContext(browsing);
    onTestFinished(async () => {
      await context.close();
      await web.close();
    });
    const page = await context.newPage();
    await page.goto(web.url);
    return { ...parts, page };
  }

  test.each([
    { mode: "AI SDK", colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { mode: "LangGraph", colorScheme: "dark", viewport: { width: 360, height: 720 } },
  ] as const)(
    "can be used with the keyboard alone, and breaks no rule of accessibility ($mode, $colorScheme).",
    async ({ mode, ...browsing }) => {
      const { page, modelCalls, transfers, savings } = await openPage(browsing);
      await page.getByText(mode, { exact: true }).click();
      await page.getByRole("radio", { name: mode, checked: true }).waitFor({ state: "attached" });
      await page.getByRole("button", { name: "A large transfer waits for you" }).waitFor();
      expect(await faults(page)).toEqual([]);

      await page.locator("#message").focus();
      await type(page, "I would like to transfer money.");
      await page.locator("input[type=number]:focus").waitFor();
      await type(page, "50");
      // A second Enter chooses and confirms nothing.
      await focusByTab(page, "Transfer from which account?", "High Yield Savings");
      await page.keyboard.press("Enter");
      await focusByTab(page, "To which account?", "Everyday Current");
      await page.keyboard.press("Enter");
      await focusByTab(page, "Transfer $50.00", "Confirm");
      expect(await faults(page)).toEqual([]);
      await page.reload();
      await page.getByRole("button", { name: "Confirm" }).dblclick();
      await page.getByText("Done: $50.00 has been transferred.").waitFor();
      expect(savings()).toBe(1_280_050 - 5_000);
      expect(modelCalls).toHaveLength(1);

      await page.locator("#message:focus").waitFor();
      await type(page, LOCKED);
      await page.getByText("followed at once, no model asked").waitFor();
      await page.locator("[data-open]:focus").waitFor();
      expect(await page.getByRole("button", { name: "Call me back" }).isVisible()).toBe(true);
      await page.getByText("Stories to try").click();
      await page.getByRole("button", { name: "A large transfer waits for you" }).click();
      await page.getByText("The amount is large.").waitFor();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Decline" }).click();
      await page.getByText("You declined this.").waitFor();
      expect(transfers()).toEqual(["confirmed"]);

      await page.getByRole("button", { name: "Run it the relay way" }).click();
      await page.getByRole("cell", { name: "9,876" }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
      await page.context().setOffline(true);
      await page.locator("#message").focus();
      await type(page, "Hello");
      await page.getByText("The page cannot reach its server.").waitFor();
      expect(await faults(page)).toEqual([]);
    },
  );

  // A wide font, which Linux has, and one with the widths of Arial.
  test.each(["DejaVu Sans", "Liberation Sans"])(
    "holds at eight widths, and breaks no word (%s).",
    async (font) => {
      const { page } = await openPage();
      await page.evaluate((family) => {
        document.body.style.fontFamily = `"${family}"`;
      }, font);
      expect(await measure(page)).toEqual([]);
      await page.locator("#message").focus();
      await type(page, LOCKED);
      await page.getByText("followed at once, no model asked").waitFor();
      expect(await measure(page)).toEqual([]);
      await page.locator("#message").focus();
      await type(page, LARGE);
      await page.getByRole("button", { name: "Decline" }).waitFor();
      expect(await measure(page)).toEqual([]);
    },
  );
});

/** Writes into what has the focus, and sends it. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator("[aria-busy=false]").waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** Presses Enter on the question, which has the focus, and then Tab until the button has it. */
async function focusByTab(page: Page, question: string, button: string): Promise<void> {
  await page.locator("[data-open]:focus").getByText(question).first().waitFor();
  await page.keyboard.press("Enter");
  for (let presses = 0; presses < 20; presses++) {
    if ((await page.evaluate("document.activeElement.textContent")) === button) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`No number of tabs reaches "${button}".`);
}

/** The rules that the page breaks, and where. */
async function faults(page: Page): Promise<string[]> {
  await page.locator("[aria-busy=false]").waitFor();
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** What does not hold at each width: a header of more than two rows, a page wider than the window, broken words. */
async function measure(page: Page) {
  const found = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    const height = (await page.locator("header").boundingBox())?.height ?? Number.NaN;
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const broken = await page.evaluate(findBrokenWords);
    const tooHigh = height > (width < 768 ? 116 : 76);
    if (tooHigh || wider || broken.length) found.push({ width, tooHigh, wider, broken });
  }
  return found;
}

/** The words on the page that stand on more than one line. A hyphen is a place to break at. */
function findBrokenWords(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement || node.parentElement.closest(".visually-hidden")) continue;
    for (const { 0: word, index } of (node.nodeValue ?? "").matchAll(/[^\s–-]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
      if (new Set(tops).size > 1) broken.push(word);
    }
  }
  return broken;
}
