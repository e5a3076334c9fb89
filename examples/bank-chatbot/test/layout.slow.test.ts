import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DEMO_PIN } from "../src/bank/person-tools.ts";
import { findChromium } from "./find-chromium.ts";
import { useBrowser } from "./open-page.ts";
import { startParts } from "./start-conversation.ts";

const WIDTHS = [320, 360, 390, 430, 480, 600, 768, 1280] as const;

/** A wide font, which Linux has, and one with the widths of Arial. */
const FONTS = ["DejaVu Sans", "Liberation Sans"] as const;

const path = findChromium();

describe.skipIf(!path)("The page of the bank chatbot", () => {
  const openPage = useBrowser(path);

  test.each(FONTS)("holds at eight widths, and breaks no word (%s).", async (font) => {
    const { options } = await startParts();
    const page = await openPage({ conversation: options });
    await page.locator("input[type=password]").fill(DEMO_PIN);
    await page.keyboard.press("Enter");
    await page.getByText("Thank you, you are signed in.").waitFor();
    await page.evaluate((family) => {
      document.body.style.fontFamily = `"${family}"`;
    }, font);
    const stories = await measure(page);
    await say(page, "Transfer 250 from my primary checking to my savings.");
    await page.getByText("followed at once, no model asked").waitFor();
    const answered = await measure(page);
    await say(page, "Transfer 5000 from my savings to my everyday current.");
    await page.getByRole("button", { name: "Decline" }).waitFor();
    const asking = await measure(page);
    const held = WIDTHS.map((width) => ({ width, tooHigh: false, wider: 0, broken: [] }));
    expect(stories).toEqual(held);
    expect(answered).toEqual(held);
    expect(asking).toEqual(held);
  });
});

async function say(page: Page, text: string): Promise<void> {
  await page.locator("[aria-busy=false]").waitFor();
  await page.locator("#message").fill(text);
  await page.keyboard.press("Enter");
}

/** What does not hold at each width: a header of more than two rows, a page wider than the window, broken words. */
async function measure(page: Page) {
  const found = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 });
    const height = (await page.locator("header").boundingBox())?.height ?? Number.NaN;
    const most = width < 768 ? 116 : 76;
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const broken = await page.evaluate(findBrokenWords);
    found.push({ width, tooHigh: height > most, wider, broken });
  }
  return found;
}

/** The words on the page that stand on more than one line. A hyphen is a place to break at. */
function findBrokenWords(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement || node.parentElement.closest(".visually-hidden, textarea")) continue;
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
