import assert from "node:assert/strict";
import { join } from "node:path";
import type { Frame, Page } from "playwright-core";

interface Visit {
  readonly url: string;
  /** Says something to the chat. */
  readonly ask: (text: string) => Promise<void>;
  /** The orders that the shop has paid back, as its own log has them. */
  readonly refunds: () => readonly string[];
}

const VIEWPORTS = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } };

/** Uses the app of the shop: its button makes a call that the user refuses, and then approves. The app gets no further by itself. */
export async function visitApp(page: Page, { url, ask, refunds }: Visit): Promise<void> {
  const before = refunds();
  let views = 0;
  page.on("request", (request) => {
    if (request.postData()?.includes('"type":"view"')) views++;
  });
  await ask("Open the desk for order 8.");
  const app = page.frameLocator("iframe").frameLocator("iframe");
  await app.getByText("49.50 in all").waitFor();
  const press = () => app.getByRole("button", { name: "Pay it back" }).click();

  await press();
  const question = page.getByRole("dialog", { name: "The app of shop asks for refund" });
  await question.getByText('"order": 8').waitFor();
  await screenshots(page, "app-waits");
  await question.getByRole("button", { name: "Refuse" }).click();
  await app.getByText("shop.refund was not approved: the user refused it").waitFor();
  assert.deepEqual(refunds(), before);

  await press();
  await question.getByRole("button", { name: "Approve" }).click();
  await app.getByText("Order 8 was paid back.").waitFor();
  assert.deepEqual(refunds(), [...before, "refund 8"]);
  await screenshots(page, "app-done");
  await ask("Where is order 12?");
  await page.getByText("Order 12: 49.50 in all").nth(1).waitFor();
  assert.equal(views, 1, "The app is not opened anew with each piece of a message.");

  await attack(page, url);
  await ask("Open the desk for order 8.");
  await app.getByText("49.50 in all").waitFor();
  await leave(page, url);
  assert.deepEqual(refunds(), [...before, "refund 8"]);
}

/** Lets the script of a hostile app try its own frame, the page's, the route, and messages that it makes up. */
async function attack(page: Page, url: string): Promise<void> {
  const frame = appFrame(page);
  const origin = await frame.evaluate(() => self.origin);
  assert.equal(origin, "null");
  await assert.rejects(frame.evaluate(() => window.top?.document.title));
  await assert.rejects(frame.evaluate(() => window.parent.document.title));
  const decision = { type: "decide", id: "1", decision: "approve" };
  const reach = (body: string) => fetch("/api/app", { method: "POST", body }).then(() => "sent");
  await assert.rejects(frame.evaluate(reach, JSON.stringify(decision)));
  const direct = await fetch(`${url}/api/app`, { method: "POST", body: JSON.stringify(decision) });
  assert.equal(direct.status, 403);

  const refused = async (method: string, params: object) => {
    const { error } = await send(frame, { method, params });
    return error?.code;
  };
  assert.equal(await refused("tools/call", { name: "delete_everything" }), -32602);
  assert.equal(await refused("tools/call", { name: "refund", arguments: { order: "8" } }), -32602);
  assert.equal(await refused("resources/read", { uri: "file:///etc/passwd" }), -32000);
  assert.equal(await refused("sampling/createMessage", { messages: [] }), -32601);

  // A call that waits is gone with its frame.
  const params = { name: "refund", arguments: { order: 9 } };
  const gone = assert.rejects(send(frame, { method: "tools/call", params }));
  await page.getByRole("dialog").getByText('"order": 9').waitFor();
  await page.reload();
  await gone;
}

/** A hostile app sends its own frame to another page, with what it knows in the address. */
async function leave(page: Page, url: string): Promise<void> {
  const frame = appFrame(page);
  const proxy = frame.parentFrame();
  assert.ok(proxy);
  const violated = proxy.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
          resolve(effectiveDirective),
        );
      }),
  );
  const leaving = `${url}/?leak`;
  const left = page.waitForRequest(leaving).then(
    () => "The app went to another page.",
    () => "",
  );
  await frame.evaluate((to) => {
    location.href = to;
  }, leaving);
  assert.equal(await Promise.race([violated, left]), "frame-src");
}

function appFrame(page: Page): Frame {
  const frame = page.frames().find((one) => one.parentFrame()?.parentFrame());
  assert.ok(frame);
  return frame;
}

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

/** Posts a request from inside of the frame, without the client of the extension. */
function send(
  frame: Frame,
  request: { readonly method: string; readonly params: object },
): Promise<Reply> {
  return frame.evaluate(
    ({ method, params }) =>
      new Promise<Reply>((resolve) => {
        const id = crypto.randomUUID?.() ?? String(Math.random());
        addEventListener("message", ({ data }) => {
          if (data.id === id) resolve(data);
        });
        parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
      }),
    request,
  );
}

/** Takes pictures of the page on a phone and on a desk, if SCREENSHOTS names a folder. */
async function screenshots(page: Page, name: string): Promise<void> {
  const { SCREENSHOTS } = process.env;
  const before = page.viewportSize();
  for (const [device, size] of Object.entries(VIEWPORTS)) {
    await page.setViewportSize(size);
    const beyond = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert.equal(beyond, 0, `The page is wider than a ${device}.`);
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${device}.png`) });
  }
  if (before) await page.setViewportSize(before);
}
