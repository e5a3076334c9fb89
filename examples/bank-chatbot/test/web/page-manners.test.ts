import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DEMO_PIN } from "../../src/store/sign-ins.ts";
import type { BankMessage, ThreadView } from "../../src/web-server/protocol.ts";
import { answered, button, chromium, field, openBrowser, prepareTransfer, say } from "./visit.ts";

describe.skipIf(!chromium)("the page of the bank chatbot", () => {
  const visit = openBrowser();

  test.each([
    { colorScheme: "light", viewport: { width: 1280, height: 900 } },
    { colorScheme: "dark", viewport: { width: 1280, height: 900 } },
    { colorScheme: "light", viewport: { width: 360, height: 720 } },
  ] as const)(
    "breaks no rule of accessibility, $colorScheme at $viewport.width",
    async (browsing) => {
      const { page } = await visit({ browsing });
      expect(await faults(page)).toEqual([]);
      await prepareTransfer(page);
      expect(await faults(page)).toEqual([]);
      await say(page, "Transfer 5000 from my savings to my everyday current.");
      await button(page, "Approve").waitFor();
      expect(await faults(page)).toEqual([]);
      await page.context().setOffline(true);
      await say(page, "Can I speak to a person?");
      await page.getByText("The connection to the bank's server was lost.").waitFor();
      expect(await faults(page)).toEqual([]);
    },
  );

  test("a second Enter chooses and confirms nothing", async () => {
    const { page } = await visit();
    await say(page, "I would like to transfer money.");
    await field(page, "How much would you like to transfer?").fill("50");
    await answered(page);
    await page.keyboard.press("Enter");
    await page.locator("[data-control]:focus").getByText("Transfer from which account?").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Primary Checking");
    expect(await page.locator(".message.user").count()).toBe(3);
  });

  test("a value that the bank refuses is corrected where it stands", async () => {
    const { page } = await visit();
    await say(page, "I would like to transfer money.");
    const amount = field(page, "How much would you like to transfer?");
    await amount.fill("50.001");
    await answered(page);
    await page.keyboard.press("Enter");
    await page.getByText("in whole cents").waitFor();
    await page.locator("input[type=number]:focus").waitFor();
    await amount.fill("50");
    await answered(page);
    await page.keyboard.press("Enter");
    await button(page, "High Yield Savings").waitFor();
  });

  test("a customer goes on writing after an answer, also where it comes in one piece", async () => {
    const { page } = await visit();
    await page.route(/\/turns$/, async (route) => {
      await route.fulfill({ response: await route.fetch() });
    });
    await button(page, "New conversation").click();
    await field(page, "Your four-digit PIN").fill(DEMO_PIN);
    await page.keyboard.press("Enter");
    await page.locator("#message:focus").waitFor();
  });

  test("a double click on Send sends, and does not stop what it has begun", async () => {
    const { page } = await visit();
    const asked: string[] = [];
    page.on("request", (request) => void asked.push(request.url().split("/").at(-1) ?? ""));
    await page.getByLabel("Your message").fill("What is the balance of my savings?");
    await button(page, "Send").dblclick();
    await page.getByText("Your High Yield Savings balance is $12,800.50.").waitFor();
    expect(asked).toEqual(["turns"]);
  });

  test("whoever scrolls back to read is left there, until the next own word", async () => {
    const { page } = await visit({ browsing: { viewport: { width: 1280, height: 500 } } });
    await say(page, "Which accounts do I have?");
    await say(page, "Which accounts do I have?");
    await page.getByText("Your accounts:").nth(1).waitFor();
    await answered(page);
    const log = page.getByRole("log");
    const top = () => log.evaluate((box) => box.scrollTop);
    expect(await top()).toBeGreaterThan(0);
    await log.evaluate((box) => {
      const scrolled = new Promise((resolve) => box.addEventListener("scroll", resolve));
      box.scrollTo({ top: 0 });
      return scrolled;
    });
    const refreshed = page.waitForResponse((response) => response.request().method() === "GET");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await (await refreshed).finished();
    await page.evaluate("new Promise(requestAnimationFrame)");
    expect(await top()).toBe(0);
    await say(page, "Which accounts do I have?");
    await page.getByText("Your accounts:").nth(2).waitFor();
    expect(await top()).toBeGreaterThan(0);
  });

  test.each([
    { width: 360, height: 720 },
    { width: 640, height: 450 },
  ])("what the customer is asked is in sight at $width by $height", async (viewport) => {
    const { page } = await visit({ browsing: { viewport } });
    await say(page, "Transfer 250 from my primary checking to my savings.");
    const choice = button(page, "Chat with a person now");
    await page.locator("[data-control]:focus").waitFor();
    const isOnTop = await choice.evaluate((shown) => {
      const { left, right, top, bottom } = shown.getBoundingClientRect();
      return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === shown;
    });
    expect(isOnTop).toBe(true);
  });

  test("long words stay inside a narrow screen", async () => {
    const { page } = await visit({ browsing: { viewport: { width: 360, height: 720 } } });
    const word = "Donaudampfschifffahrtsgesellschaft".repeat(3);
    const choices = [{ value: "1", label: word }];
    const parts: BankMessage["parts"] = [
      { type: "text", text: word },
      { type: "data-shown", id: "1", data: { blocks: [{ type: "text", text: word }] } },
      {
        type: "data-control",
        id: "2",
        data: { kind: "options", title: word, choices, state: "open" },
      },
      {
        type: "data-approval",
        id: "3",
        data: { title: word, details: [{ name: word, value: word }], state: "open" },
      },
      {
        type: "data-hop",
        id: "4",
        data: { tool: `bank.${word}`, title: word, by: "chain", state: "refused", durationMs: 1 },
      },
    ];
    await page.route(/api\/threads\/[^/]+$/, async (route) => {
      const view = (await (await route.fetch()).json()) as ThreadView;
      const status = { ...view.status, handoff: { text: word } };
      await route.fulfill({
        json: { ...view, messages: [{ id: "m", role: "assistant", parts }], status },
      });
    });
    await page.reload();
    await button(page, word).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  test("figures of the relay way are taken back when the model has been asked more", async () => {
    const relay = { modelCalls: 7, tokens: 9876, ms: 5 };
    const { page } = await visit({ measureRelay: async () => ({ sentences: 1, relay }) });
    await say(page, "Which accounts do I have?");
    await page.getByText("Your accounts:").waitFor();
    await answered(page);
    await button(page, "Run it the relay way").click();
    await page.getByRole("cell", { name: "9,876" }).waitFor();
    await say(page, "What is the balance of my savings?");
    await page.getByText("run it again").waitFor();
    expect(await page.getByRole("cell", { name: "9,876" }).count()).toBe(0);
  });
});

/** The rules that the page breaks, and where. */
async function faults(page: Page): Promise<string[]> {
  await answered(page);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
