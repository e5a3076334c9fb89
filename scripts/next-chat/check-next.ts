// Builds examples/next-chat with the packed packages, and visits it in Chromium: a chain with an approval, what is for
// the user alone, a widget, a typed tool, a restart of the MCP server, a forged approval, and a hot reload. Then
// pastes the files of docs/nextjs.md into an empty folder, and builds and visits these.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { startOfflineModel } from "../../examples/offline-model/src/index.ts";
import { findChromium } from "../find-chromium.ts";
import { freePort } from "../free-port.ts";
import { installExample, installPacked } from "../install-example.ts";
import { startProcess } from "../start-process.ts";
import { forgedRefund } from "./forged-refund.ts";
import { pasteGuide } from "./read-guide.ts";
import { rules } from "./rules.ts";

const executablePath = findChromium();
if (!executablePath) throw new Error("There is no Chromium. The README says how to install it.");

const env = { NEXT_TELEMETRY_DISABLED: "1" };
const guide = pasteGuide();
installPacked(guide.app, guide.manifest);
build(guide.app);
const app = installExample("next-chat");
build(app);

await using started = new AsyncDisposableStack();
const model = await startOfflineModel({ rules });
started.defer(model.close);
const shopPort = String(await freePort());
const startShop = () =>
  startProcess({
    args: ["shop-server.mjs"],
    cwd: app,
    env: { SHOP_PORT: shopPort },
    ready: /^ready$/,
  });
let shop = await startShop();
started.defer(() => shop.stop());
const settings = {
  ...env,
  OPENAI_BASE_URL: model.url,
  SHOP_URL: `http://127.0.0.1:${shopPort}/mcp`,
  APPROVAL_SECRET: crypto.randomUUID(),
};
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
started.defer(() => browser.close());

await withNext({ app, command: "start" }, async (page, url) => {
  await ask(page, "Where is order 12?");
  await page.getByText("Order 12: 49.50 in all").waitFor();
  report("a result is drawn");

  await ask(page, "Please return order 7.");
  await page.getByText("Your label is R-7.").waitFor();
  await page.getByText('refund with {"order":7}?').waitFor();
  assert.deepEqual(refunds(), []);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Order 7 was paid back.").waitFor();
  assert.deepEqual(refunds(), ["refund 7"]);
  report("a hop waits for its approval, and what is for the user alone is shown");

  await ask(page, "Show me a shirt.");
  await page.getByRole("button", { name: "L", exact: true }).click();
  await page.getByText("Size L, please.").waitFor();
  report("a widget is shown and used");

  await shop.stop();
  shop = await startShop();
  await ask(page, "Where is order 13?");
  await page.getByText("Order 13: 49.50 in all").waitFor();
  report(
    "a restarted MCP server is connected again, and the call that it refused is sent once more",
  );

  const forged = await fetch(`${url}/api/chat`, { method: "POST", body: forgedRefund(9) });
  assert.match(await forged.text(), /"type":"error"/);
  assert.deepEqual(refunds(), []);
  report("a forged approval is refused");
});

await withNext({ app, command: "dev" }, async (page) => {
  const sessions = () => shop.lines.filter((line) => line === "session").length;
  const before = sessions();
  await ask(page, "Where is order 14?");
  await page.getByText("Order 14: 49.50 in all").waitFor();
  for (const file of ["lib/host.ts", "app/api/chat/route.ts"]) {
    appendFileSync(join(app, file), "\n// Edited.\n");
  }
  await page.reload({ waitUntil: "domcontentloaded" });
  await ask(page, "Where is order 15?");
  await page.getByText("Order 15: 49.50 in all").waitFor();
  assert.equal(sessions() - before, 1);
  report("a hot reload keeps the host and its connection");
});

await withNext({ app: guide.app, command: "start" }, async (page) => {
  const before = refunds().length;
  await ask(page, "Please return order 21.");
  await page.getByText("Your label is R-21.").waitFor();
  await page.getByText('refund with {"order":21}?').waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Order 21 was paid back.").waitFor();
  assert.deepEqual(refunds().slice(before), ["refund 21"]);
  report("the files of the page ask, and show what is for the user alone");
});

function build(cwd: string): void {
  const args = [join(cwd, "node_modules/next/dist/bin/next"), "build"];
  execFileSync(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: "inherit" });
}

interface Running {
  readonly app: string;
  readonly command: "start" | "dev";
}

/** Runs an application, opens its page, and ends both. */
async function withNext(
  { app: cwd, command }: Running,
  visit: (page: Page, url: string) => Promise<void>,
): Promise<void> {
  const port = String(await freePort());
  const args = [join(cwd, "node_modules/next/dist/bin/next"), command, "--port", port];
  const running = await startProcess({ args, cwd, env: settings, ready: /Ready in/ });
  const url = `http://localhost:${port}`; // The one that `next dev` serves its own scripts to.
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  try {
    await page.goto(url, { waitUntil: "domcontentloaded" });
    await visit(page, url);
  } catch (cause) {
    const shown = await page.locator("body").textContent();
    throw new Error(`${shown}\n${running.lines.join("\n")}`, { cause });
  } finally {
    await page.close();
    await running.stop();
  }
}

/** Says something as soon as the page takes it. */
async function ask(page: Page, text: string): Promise<void> {
  await page.waitForFunction(() => {
    const form = document.querySelector("form") ?? {};
    return Object.keys(form).some((name) => name.startsWith("__react")); // The page listens by now.
  });
  await page.locator("input[name=text]:enabled").fill(text);
  await page.getByRole("button", { name: /Send|Ask/ }).click();
}

function refunds(): readonly string[] {
  return shop.lines.filter((line) => line.startsWith("refund"));
}

function report(what: string): void {
  console.log(`✔ ${what}`);
}
