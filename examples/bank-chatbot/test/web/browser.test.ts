import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DEMO_CUSTOMER_ID } from "../../src/store/bank-database.ts";
import { DEMO_PIN } from "../../src/store/sign-ins.ts";
import type { MortalBank } from "./mortal-bank.ts";
import { button, chromium, field, openBrowser, prepareTransfer, say } from "./visit.ts";

const SAVINGS_CENTS = 1_280_050;
const CURRENT_CENTS = 64_025;

/** The customer's money and decided transfers, as the bank's books have them. */
function books({ store }: MortalBank) {
  const cents = (accountId: string) =>
    store.findAccount(DEMO_CUSTOMER_ID, accountId)?.balanceCents ?? Number.NaN;
  return {
    savings: cents("acc_savings_001"),
    current: cents("acc_current_001"),
    transfers: store.listTransfers(DEMO_CUSTOMER_ID).map(({ status }) => status),
    tickets: store.listTickets(DEMO_CUSTOMER_ID).map(({ issueType }) => issueType),
  };
}

const MOVED = { savings: SAVINGS_CENTS - 5_000, current: CURRENT_CENTS + 5_000 };
const UNMOVED = { savings: SAVINGS_CENTS, current: CURRENT_CENTS };

describe.skipIf(!chromium)("the bank chatbot in a browser", () => {
  const visit = openBrowser();

  test("a locked account is explained word for word and leads to a person, with one model call", async () => {
    const { page, bank, modelCalls } = await visit();
    await say(page, "Transfer 250 from my primary checking to my savings.");
    await page
      .getByText("your Primary Checking account (acc_checking_001) is currently locked")
      .waitFor();
    const hop = page.locator('[data-tool="bank.request_agent_handoff"][data-state="done"]');
    await hop.getByText("followed at once, no model asked").waitFor();
    expect(modelCalls).toHaveLength(1);

    await button(page, "Call me back").click();
    await field(page, "When may we call you?").fill("2999-05-06T10:30");
    await button(page, "Continue").click();
    await field(page, "Which number may we call?").fill("+1 555 0100");
    await button(page, "Continue").click();
    await page.getByText("We will call you on +1 555 0100 at 10:30").waitFor();
    expect(modelCalls).toHaveLength(1);
    expect(books(bank)).toEqual({ ...UNMOVED, transfers: [], tickets: ["call_back"] });
  });

  test("a transfer goes through pickers and a confirmation, and a double click moves the money once", async () => {
    const { page, bank, modelCalls } = await visit();
    await prepareTransfer(page);
    expect(books(bank)).toMatchObject({ ...UNMOVED, transfers: ["pending"] });
    await button(page, "Confirm").dblclick();
    await page.getByText("Done: $50.00 has been transferred.").waitFor();
    expect(modelCalls).toHaveLength(1);
    expect(books(bank)).toMatchObject({ ...MOVED, transfers: ["confirmed"] });
  });

  test("neither a reload nor the back button confirms again or loses the conversation", async () => {
    const { page, bank } = await visit();
    await prepareTransfer(page);
    await button(page, "Confirm").click();
    await page.reload();
    await page.getByText("Done: $50.00 has been transferred.").waitFor();
    expect(await button(page, "Confirm").count()).toBe(0);

    await button(page, "New conversation").click();
    await field(page, "Your four-digit PIN").waitFor();
    await page.goBack();
    await page.getByText("Done: $50.00 has been transferred.").waitFor();
    expect(await button(page, "Confirm").count()).toBe(0);
    expect(books(bank)).toMatchObject({ ...MOVED, transfers: ["confirmed"] });
  });

  test("a customer who cancels keeps the money", async () => {
    const { page, bank } = await visit();
    await prepareTransfer(page);
    await button(page, "Cancel").click();
    await page.getByText("The transfer is cancelled; no money has moved.").waitFor();
    expect(books(bank)).toMatchObject({ ...UNMOVED, transfers: ["cancelled"] });
  });

  test("a large transfer waits for approval; declined, nothing reaches the bank", async () => {
    const { page, bank } = await visit();
    await say(page, "Transfer 5000 from my savings to my everyday current.");
    await button(page, "Decline").click();
    await page.getByText("You declined this.").waitFor();
    await page.getByText("Nothing has been done.").waitFor();
    expect(books(bank)).toMatchObject({ ...UNMOVED, transfers: [] });
  });

  test("a large transfer that is approved goes on to the confirmation", async () => {
    const { page, bank } = await visit();
    await say(page, "Transfer 5000 from my savings to my everyday current.");
    await button(page, "Approve").click();
    await button(page, "Confirm").click();
    await page.getByText("Done: $5,000.00 has been transferred.").waitFor();
    expect(books(bank)).toMatchObject({
      savings: SAVINGS_CENTS - 500_000,
      current: CURRENT_CENTS + 500_000,
    });
  });

  test("a bank that dies before it answers a confirmation has moved the money once when asked again", async () => {
    const { page, bank } = await visit();
    await prepareTransfer(page);
    bank.dieAt("confirm_or_cancel_transfer", "after");
    await button(page, "Confirm").click();
    await page.getByText("We lost the connection to the bank").waitFor();
    await bank.revive();
    await button(page, "Confirm").click();
    await page.getByText("already confirmed; nothing was moved again").waitFor();
    expect(books(bank)).toMatchObject({ ...MOVED, transfers: ["confirmed"] });
  });

  test("a bank that dies in mid-chain is explained, and trying again ends with one ticket", async () => {
    const { page, bank } = await visit();
    bank.dieAt("initiate_human_handoff", "before");
    await say(page, "My primary checking seems to be blocked. Can you check it?");
    await page.getByText("We lost the connection to the bank").waitFor();
    await page.locator('[data-tool="bank.check_account_issue"][data-state="done"]').waitFor();
    await page.locator('[data-tool="bank.initiate_human_handoff"][data-state="error"]').waitFor();
    expect(books(bank).tickets).toEqual([]);
    await bank.revive();
    await button(page, "Try again").click();
    await page.getByText("Your ticket is ticket_").first().waitFor();
    expect(books(bank).tickets).toEqual(["account_locked"]);
  });

  test("two tabs that confirm at the same time move the money once, and both come to know", async () => {
    const { page, bank, context } = await visit();
    await prepareTransfer(page);
    const other = await context.newPage();
    await other.goto(page.url());
    await button(other, "Confirm").waitFor();
    // By their handles: the slower of the two may be gone already, and that is right as well.
    const confirms = await Promise.all(
      [page, other].map((tab) => button(tab, "Confirm").elementHandle()),
    );
    await Promise.all(confirms.map((confirm) => confirm?.dispatchEvent("click")));
    for (const tab of [page, other]) {
      await tab.getByText("Done: $50.00 has been transferred.").waitFor();
      await button(tab, "Confirm").waitFor({ state: "detached" });
    }
    expect(books(bank)).toMatchObject({ ...MOVED, transfers: ["confirmed"] });
  });

  test.each(["LangGraph", "Guard mode"])("the same page works in the mode %s", async (mode) => {
    const { page, bank } = await visit();
    await page.getByText(mode, { exact: true }).click();
    await field(page, "Your four-digit PIN").fill(DEMO_PIN);
    await page.keyboard.press("Enter");
    await page.getByText("Thank you, you are signed in.").waitFor();
    await prepareTransfer(page);
    await button(page, "Confirm").click();
    await page.getByText("Done: $50.00 has been transferred.").waitFor();
    expect(await page.getByRole("radio", { name: mode }).isChecked()).toBe(true);
    expect(books(bank)).toMatchObject({ ...MOVED, transfers: ["confirmed"] });
  });

  test("a hand-off pauses the assistant until the customer comes back", async () => {
    const { page, modelCalls } = await visit();
    await say(page, "Can I speak to a person?");
    await button(page, "Chat with a person now").click();
    await page.getByText("You are with a person.").waitFor();
    await say(page, "Are you there?");
    await page.getByText("no assistant reads it").waitFor();
    expect(modelCalls).toHaveLength(1);
    await button(page, "Back to the assistant").click();
    await page.getByText("You are back with the assistant.").waitFor();
    await say(page, "What is the balance of my savings?");
    await page.getByText("Your High Yield Savings balance is $12,800.50.").waitFor();
  });

  test("everything can be done with the keyboard alone", async () => {
    const { page, bank } = await visit();
    await page.locator("#message:focus").waitFor();
    await page.keyboard.type("I would like to transfer money.");
    await page.keyboard.press("Enter");
    await page.locator("[data-control] [type=number]:focus").waitFor();
    await page.keyboard.type("50");
    await page.keyboard.press("Enter");
    await focusByTab(page, "Transfer from which account?", "High Yield Savings");
    await page.keyboard.press("Enter");
    await focusByTab(page, "To which account?", "Everyday Current");
    await page.keyboard.press("Enter");
    await focusByTab(page, "Transfer $50.00", "Confirm");
    await page.keyboard.press("Space");
    await page.getByText("Done: $50.00 has been transferred.").waitFor();
    expect(books(bank)).toMatchObject(MOVED);
  });

  test("a narrow screen needs no sideways scrolling", async () => {
    const { page } = await visit();
    await page.setViewportSize({ width: 360, height: 720 });
    await prepareTransfer(page);
    const overflow = () =>
      page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    expect(await overflow()).toBe(0);
  });
});

/** Presses Tab until a button has the focus, once the page has put it on the question by itself. */
async function focusByTab(page: Page, question: string, name: string): Promise<void> {
  await page.locator("[data-control]:focus").getByText(question).first().waitFor();
  for (let presses = 0; presses < 40; presses++) {
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    if (focused === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`No number of tabs reaches "${name}".`);
}
