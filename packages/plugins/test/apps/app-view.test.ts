import { appUri } from "@toolrail/plugins/apps";
import { describe, expect, it } from "vitest";
import { DESK, openShop } from "./open-shop.ts";

const HTML = "<!doctype html><p>Desk</p>";
const page = { uri: DESK, mimeType: "text/html;profile=mcp-app", text: HTML };
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:; connect-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'";
const META = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">`;

describe("the view of an app", () => {
  it("is its page behind a policy that lets it load nothing", async () => {
    const { calls, shop } = await openShop({ read: [page] });
    expect(await calls.view()).toEqual({ html: META + HTML, policy: POLICY, ui: {} });
    expect(shop.asked).toEqual([DESK]);
  });

  it("is read from base64 as well, whatever the case and the spaces of its type", async () => {
    const { text: _, ...rest } = page;
    const blob = btoa(String.fromCharCode(...new TextEncoder().encode("<p>Grüße</p>")));
    const read = [{ ...rest, blob, mimeType: "text/HTML; profile=mcp-app" }];
    const { calls } = await openShop({ read });
    expect(await calls.view()).toMatchObject({ html: `${META}<p>Grüße</p>` });
  });

  it("lets it load from the origins that it declares, and from nothing that is no origin", async () => {
    const csp = {
      connectDomains: ["https://api.shop.example", "https://x; script-src *", "*", "'self'"],
      resourceDomains: ["https://*.shop.example:8443", "javascript:", "https:", 7],
      frameDomains: "https://a.example",
    };
    const ui = { csp, prefersBorder: true };
    const { calls } = await openShop({ read: [{ ...page, _meta: { ui } }] });
    const view = await calls.view();
    expect(view.ui).toEqual(ui);
    expect(view.policy.split("; ")).toEqual(
      expect.arrayContaining([
        "connect-src https://api.shop.example",
        "script-src 'unsafe-inline' https://*.shop.example:8443",
        "frame-src 'none'",
      ]),
    );
    expect(view.html).toContain(`content="${view.policy}"`);
    expect(view.html).not.toMatch(/script-src \*|javascript|'self'/);
  });

  it.each([
    ["another type", { ...page, mimeType: "text/html" }],
    ["another resource", { ...page, uri: "ui://shop/other" }],
    ["an embedded text without a type", { uri: DESK, text: HTML }],
  ])("is no view if the server answers with %s", async (_, own) => {
    const { calls } = await openShop({ read: [own] });
    await expect(calls.view()).rejects.toMatchObject({ code: "malformed-result" });
  });

  it("is not read if no tool of the server names it", async () => {
    const { openApp, shop } = await openShop({ read: [page] });
    const reading = openApp({ uri: "ui://shop/other" }).view();
    await expect(reading).rejects.toMatchObject({ code: "not-allowed" });
    expect(shop.asked).toEqual([]);
  });
});

describe("appUri", () => {
  it("is the resource of a tool's app, also in the older form", () => {
    expect(appUri({ meta: { ui: { resourceUri: DESK } } })).toBe(DESK);
    expect(appUri({ meta: { "ui/resourceUri": DESK } })).toBe(DESK);
    expect(appUri({ meta: { ui: { resourceUri: "https://shop.example" } } })).toBeUndefined();
    expect(appUri({})).toBeUndefined();
  });
});
