import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DEMO_PIN } from "../src/bank/person-tools.ts";
import { DEMO_CUSTOMER_ID } from "../src/bank/store.ts";
import { findChromium } from "./find-chromium.ts";
import { useBrowser } from "./open-page.ts";
import { startParts } from "./start-conversation.ts";

const path = findChromium();
const DESKTOP = { viewport: { width: 1280, height: 900 } };

describe.skipIf(!path)("The page of the bank chatbot", () => {
  const openPage = useBrowser(path);

  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 }, mode: "AI SDK" },
    { colorScheme: "dark", viewport: { width: 360, height: 720 }, mode: "LangGraph" },
  ] as const)(
    "can be used with the keyboard alone, and breaks no rule of accessibility ($mode, $colorScheme).",
    async ({ mode, ...browsing }) => {
      const { options, store, modelCalls } = await startParts();
      const page = await openPage({ conversation: options, browsing });
      await choose(page, mode);

      await page.locator("input[type=password]").focus();
      await type(page, DEMO_PIN);
      await page.getByText("Thank you, you are signed in.").waitFor();
      await page.getByRole("button", { name: "A large transfer waits for you" }).waitFor();
      expect(await faults(page)).toEqual([]);

      await page.locator("#message:focus").waitFor();
      await type(page, "I would like to transfer money.");
      await page.locator("input[type=number]:focus").waitFor();
      await type(page, "50");
      // A second Enter chooses and confirms nothing.
      await focusByTab(page, {
        question: "Transfer from which account?",
        name: "High Yield Savings",
      });
      await page.keyboard.press("Enter");
      await focusByTab(page, { question: "To which account?", name: "Everyday Current" });
      await page.keyboard.press("Enter");
      await focusByTab(page, { question: "Transfer $50.00", name: "Confirm" });
      expect(await faults(page)).toEqual([]);
      await page.reload();
      await page.getByRole("button", { name: "Confirm" }).dblclick();
      await page.getByText("Done: $50.00 has been transferred.").waitFor();
      const account = store.findAccount(DEMO_CUSTOMER_ID, "acc_savings_001");
      expect(account?.balanceCents).toBe(1_280_050 - 5_000);
      expect(modelCalls).toHaveLength(1);

      await page.locator("#message:focus").waitFor();
      await type(page, "Transfer 250 from my primary checking to my savings.");
      await page.getByText("followed at once, no model asked").waitFor();
      await page.locator("[data-open]:focus").waitFor();
      expect(await page.getByRole("button", { name: "Call me back" }).isVisible()).toBe(true);
      await page.locator("#message").focus();
      await type(page, "Transfer 5000 from my savings to my everyday current.");
      await page.getByRole("button", { name: "Decline" }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Decline" }).click();
      await page.getByText("You declined this.").waitFor();

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

  test.each(["AI SDK", "LangGraph"])(
    "asks about a large transfer, and counts what was declined (%s).",
    async (mode) => {
      const { options, store } = await startParts();
      const page = await openPage({ conversation: options, browsing: DESKTOP });
      await choose(page, mode);
      await page.locator("input[type=password]").focus();
      await type(page, DEMO_PIN);
      await page.getByRole("button", { name: "A large transfer waits for you" }).click();
      await page.getByText("The amount is large.").waitFor();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Decline" }).click();
      await page.getByText("1 call waited for you, 1 declined and never made.").waitFor();
      expect(store.listTransfers(DEMO_CUSTOMER_ID)).toEqual([]);
    },
  );
});

/** Begins a conversation in a mode. The page shows the choice once it has that conversation. */
async function choose(page: Page, mode: string): Promise<void> {
  await page.getByText(mode, { exact: true }).click();
  await page.getByRole("radio", { name: mode, checked: true }).waitFor({ state: "attached" });
}

/** Writes into what has the focus, and sends it. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator("[aria-busy=false]").waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** Presses Enter on the question, which has the focus, and then Tab until a button has it. */
async function focusByTab(
  page: Page,
  { question, name }: { readonly question: string; readonly name: string },
): Promise<void> {
  await page.locator("[data-open]:focus").getByText(question).first().waitFor();
  await page.keyboard.press("Enter");
  for (let presses = 0; presses < 20; presses++) {
    if ((await page.evaluate("document.activeElement.textContent")) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`No number of tabs reaches "${name}".`);
}

/** The rules that the page breaks, and where. */
async function faults(page: Page): Promise<string[]> {
  await page.locator("[aria-busy=false]").waitFor();
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
