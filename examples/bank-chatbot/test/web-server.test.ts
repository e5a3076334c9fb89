import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { ConversationView } from "../src/conversation/conversation-view.ts";
import { startWebServer, type WebServerOptions } from "../src/web-server/web-server.ts";
import { startParts } from "./start-conversation.ts";

async function startServer(more: Partial<WebServerOptions> = {}) {
  const { options } = await startParts();
  const { url, close } = await startWebServer({
    page: new Map([["/index.html", { type: "text/html", body: "<p>Hello</p>" }]]),
    app: { model: "fake", pin: "0427" },
    conversation: options,
    measureRelay: async (said) => ({ modelCalls: said.length, tokens: 0, ms: 0 }),
    ...more,
  });
  onTestFinished(close);
  return url;
}

function post(url: string, body: object) {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

test("A conversation is streamed to every page that watches it.", async () => {
  const url = await startServer();
  const { id } = (await (await post(`${url}api`, { mode: "guard" })).json()) as { id: string };
  const pages = [0, 1].map(async () => {
    const { body } = await fetch(`${url}api/${id}/events`);
    let text = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const view = text.split("\n\n").at(-2)?.slice("data: ".length) ?? "{}";
      const { entries = [], isBusy } = JSON.parse(view) as Partial<ConversationView>;
      if (!isBusy && entries.some(({ type }) => type === "words")) return entries;
    }
    return [];
  });
  expect((await post(`${url}api/${id}/turns`, { type: "text", text: "Hello" })).status).toBe(200);
  const [first = [], second = []] = await Promise.all(pages);
  expect(first.map(({ type }) => type)).toEqual([
    ...["hop", "shown", "control", "user", "model", "words"],
  ]);
  expect(second).toEqual(first);
  expect(await (await post(`${url}api/${id}/relay`, {})).json()).toMatchObject({ modelCalls: 1 });
});

test("The page is served with a policy that lets only its own files run.", async () => {
  const page = await fetch(await startServer());
  expect(await page.text()).toBe("<p>Hello</p>");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test.each([
  ["to a foreign host", { host: "evil.example" }, 403],
  ["from a foreign page", { origin: "https://evil.example" }, 403],
  ["of a form", { "content-type": "text/plain" }, 415],
  ["with a large body", { "content-length": "100000" }, 413],
  ["with a body of the wrong form", {}, 400],
])("A request %s is refused.", async (_what, headers, status) => {
  const sent = { "content-type": "application/json", "content-length": "2", ...headers };
  const url = new URL("/api", await startServer());
  const answered = await new Promise((resolve) => {
    request(url, { method: "POST", headers: sent }, ({ statusCode }) => resolve(statusCode))
      .on("error", () => {})
      .end("{}");
  });
  expect(answered).toBe(status);
});

test.each(["api/unknown/events", "api/unknown", "other.html"])("%s is not found.", async (path) => {
  expect((await fetch(`${await startServer()}${path}`)).status).toBe(404);
});
