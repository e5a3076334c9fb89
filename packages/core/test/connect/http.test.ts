import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { http } from "../../src/connect/index.ts";
import { createHost, type HostEvent, type HostOptions } from "../../src/index.ts";
import { startSignInServer } from "../servers/sign-in-server.ts";
import { allMissing, bringBack, sdks, takeAway } from "./sdks.ts";
import { createWebServer } from "./web-server.ts";

const URL_OF_SHOP = "https://shop.example/mcp";
const BUY = { tool: "shop.buy" };

/** A host with one server, which is reached by its address. */
async function open(http: HostOptions["servers"][string], options: Partial<HostOptions> = {}) {
  const events: HostEvent[] = [];
  const host = await createHost({
    servers: { shop: http },
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(() => host.close());
  const states = () => events.flatMap((event) => (event.type === "server" ? event.state : []));
  return { host, states };
}

/** The first text of a result, as JSON. */
function textOf({ result }: { result: { content: readonly { text?: unknown }[] } }): unknown {
  return JSON.parse(String(result.content[0]?.text));
}

describe.each(sdks)("http(), with $name alone", ({ name, missing }) => {
  beforeAll(() => takeAway(missing));
  afterAll(() => bringBack(missing));

  it("Connects the server when the host needs it, and opens one session for all calls.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    const shop = http(URL_OF_SHOP, { fetch: server.fetch });
    expect(server.seen).toEqual([]);
    const { host } = await open(shop);
    await Promise.all([host.call(BUY), host.call(BUY), host.call(BUY)]);
    expect(server.count("POST initialize")).toBe(1);
    expect(server.count("POST tools/call")).toBe(3);
  });

  it("Sends its headers with every request.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    const headers = { "X-Tenant": "north" };
    const { host } = await open(http(URL_OF_SHOP, { headers, fetch: server.fetch }));
    await host.call(BUY);
    await host.close();
    expect(server.seen.map(({ headers }) => headers.get("x-tenant"))).not.toContain(null);
  });

  it("Ends its session when the host is closed.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    const { host } = await open(http(URL_OF_SHOP, { fetch: server.fetch }));
    await host.close();
    expect(server.seen.at(-1)?.what).toBe("DELETE");
    await expect(host.call(BUY)).rejects.toMatchObject({ code: "aborted" });
  });

  it("Gives each host a connection of its own.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    const shop = http(URL_OF_SHOP, { fetch: server.fetch });
    const [first, second] = [await open(shop), await open(shop)];
    await first.host.close();
    expect(textOf(await second.host.call(BUY))).toBe("bought");
    expect(server.count("POST initialize")).toBe(2);
  });

  it("Opens a new session for a server that has forgotten its own, and sends the refused calls again.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    const { host, states } = await open(http(URL_OF_SHOP, { fetch: server.fetch }));
    server.forget();
    const hops = await Promise.all([host.call(BUY), host.call(BUY)]);
    expect(hops.map(textOf)).toEqual(["bought", "bought"]);
    expect(server.count("POST initialize")).toBe(2);
    expect(states()).toEqual(["connected", "lost", "connected"]);
  });

  it("Says why a server cannot be reached, and connects it with the next call that needs it.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    let isUp = false;
    const fetch: typeof server.fetch = (...request) => {
      const cause = new Error("connect ECONNREFUSED 127.0.0.1:80");
      return isUp ? server.fetch(...request) : Promise.reject(new TypeError("failed", { cause }));
    };
    const { host } = await open(http(URL_OF_SHOP, { fetch }));
    expect(host.problems).toMatchObject([{ server: "shop", code: "list-failed" }]);
    expect(host.problems[0]?.message).toMatch(
      /"shop": https:\/\/shop\.example\/mcp cannot be connected: connect ECONNREFUSED/,
    );
    await expect(host.call(BUY)).rejects.toMatchObject({ code: "server-unavailable" });
    isUp = true;
    expect(textOf(await host.call(BUY))).toBe("bought");
    expect(host.problems).toEqual([]);
  });

  it("Leaves the outcome of a call unknown whose connection was cut, and does not repeat it.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    let isCut = false;
    const fetch: typeof server.fetch = async (...request) => {
      const response = await server.fetch(...request);
      if (isCut && server.seen.at(-1)?.what === "POST tools/call") {
        isCut = false;
        throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } });
      }
      return response;
    };
    const { host } = await open(http(URL_OF_SHOP, { fetch }));
    isCut = true;
    await expect(host.call(BUY)).rejects.toMatchObject({ code: "outcome-unknown" });
    expect(server.count("POST tools/call")).toBe(1);
    expect(textOf(await host.call(BUY))).toBe("bought");
  });

  it("Passes on progress, cancellation, and the news of changed tools.", async () => {
    const aborted = Promise.withResolvers<void>();
    const tools: Parameters<typeof createWebServer>[0] = {
      count: async (_, { progress }) => {
        await progress(1);
        return "counted";
      },
      wait: (_, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        return new Promise(() => {});
      },
    };
    const server = createWebServer(tools);
    const { host } = await open(http(URL_OF_SHOP, { fetch: server.fetch }));
    const told: number[] = [];
    const onProgress = ({ progress }: { progress: number }) => told.push(progress);
    await host.call({ tool: "shop.count" }, { onProgress });
    expect(told).toEqual([1]);
    const aborter = new AbortController();
    const call = host.call({ tool: "shop.wait" }, { signal: aborter.signal });
    await expect.poll(() => server.count("POST tools/call")).toBe(2);
    aborter.abort();
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    await aborted.promise;
    tools.buy = () => "bought";
    await server.servers[0]?.sendToolListChanged();
    await expect.poll(() => host.tools.map((tool) => tool.name)).toContain("buy");
  });

  it("Lets a server ask the user only if the host has an `onInputRequest`.", async () => {
    const message = "Which size?";
    const requestedSchema = { type: "object" as const, properties: {} };
    const server = createWebServer({
      buy: async (shop) => {
        if (!shop.getClientCapabilities()?.elicitation) return "nobody is asked";
        return (await shop.elicitInput({ mode: "form", message, requestedSchema })).action;
      },
    });
    const shop = http(URL_OF_SHOP, { fetch: server.fetch });
    expect(textOf(await (await open(shop)).host.call(BUY))).toBe("nobody is asked");
    const onInputRequest = async () => ({ action: "decline" }) as const;
    expect(textOf(await (await open(shop, { onInputRequest })).host.call(BUY))).toBe("decline");
  });

  it("Reports a server that answers 401 as one that needs a sign-in.", async () => {
    const server = await startSignInServer();
    const { host } = await open(http(server.url));
    expect(host.problems).toMatchObject([{ server: "shop", code: "needs-sign-in" }]);
    const headers = { authorization: "Bearer token-1" };
    await (await open(http(server.url, { headers }))).host.call(BUY);
    expect(server.calls).toEqual(["buy"]);
  });

  it.runIf(name === "@modelcontextprotocol/client")(
    "Takes a provider of tokens alone.",
    async () => {
      const server = await startSignInServer();
      const authProvider = { token: async () => "token-1" };
      await (await open(http(server.url, { authProvider }))).host.call(BUY);
      expect(server.calls).toEqual(["buy"]);
    },
  );

  it("Tries the older transport if the server does not speak Streamable HTTP.", async () => {
    const sent = new Set<string>();
    const fetch: typeof globalThis.fetch = async (_, init) => {
      sent.add(init?.method ?? "GET");
      return new Response("nothing here", { status: 404 });
    };
    const { host } = await open(http(URL_OF_SHOP, { fetch }));
    expect([...sent]).toEqual(["POST", "GET"]);
    expect(host.problems[0]?.message).toMatch(
      /speaks neither Streamable HTTP \(404\) nor HTTP with SSE \(404\); check the path of the URL/,
    );
  });

  it("Says what a server has answered that is not one of MCP, shortened.", async () => {
    const fetch = async () => new Response("<p>Out of order</p>".repeat(1_000), { status: 500 });
    const { host } = await open(http(URL_OF_SHOP, { fetch }));
    const message = host.problems[0]?.message ?? "";
    expect(message).toContain("it answered 500 (<p>Out of order</p>");
    expect(message.length).toBeLessThan(1_000);
  });

  it("Gives up a server that does not answer in time, and says so.", async () => {
    const requests: AbortSignal[] = [];
    const fetch: typeof globalThis.fetch = (_, init) => {
      if (init?.signal) requests.push(init.signal);
      return new Promise(() => {});
    };
    const { host } = await open(http(URL_OF_SHOP, { fetch }), { limits: { callTimeoutMs: 30 } });
    expect(host.problems[0]?.message).toContain("did not answer: No answer within 30 ms");
    expect(requests.map(({ aborted }) => aborted)).not.toContain(false);
  });

  it("Speaks MCP 2026-07-28 only if it is asked to and can.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    const shop = http(URL_OF_SHOP, { fetch: server.fetch, protocol: "2026-07-28" });
    if (name === "@modelcontextprotocol/sdk") {
      await expect(createHost({ servers: { shop } })).rejects.toMatchObject({
        code: "invalid-options",
        message: expect.stringContaining("npm install @modelcontextprotocol/client"),
      });
    } else {
      const { host } = await open(shop);
      expect(host.problems[0]?.message).toContain("cannot be connected");
      expect(server.seen[0]?.what).toBe("POST server/discover");
    }
    const auto = await open(http(URL_OF_SHOP, { fetch: server.fetch, protocol: "auto" }));
    expect(textOf(await auto.host.call(BUY))).toBe("bought");
  });
});

describe("http()", () => {
  it("Takes the options of every server.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    const { host } = await open(http(URL_OF_SHOP, { fetch: server.fetch, prefix: true }));
    expect(host.find("shop.buy").modelName).toBe("shop_buy");
  });

  it("Says what to install if there is no client of the MCP SDK.", async () => {
    takeAway(allMissing);
    onTestFinished(() => bringBack(allMissing));
    await expect(createHost({ servers: { shop: http(URL_OF_SHOP) } })).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringContaining("npm install @modelcontextprotocol/client"),
    });
  });

  it("Says why a client of the MCP SDK that is there cannot be loaded.", async () => {
    const broken = "@modelcontextprotocol/client";
    takeAway(allMissing);
    vi.doMock(broken, () => ({
      get Client() {
        throw new Error("Dynamic require of child_process\nis not supported");
      },
    }));
    onTestFinished(() => bringBack(allMissing));
    await expect(createHost({ servers: { shop: http(URL_OF_SHOP) } })).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringMatching(/loaded \(Dynamic require of child_process\): npm install/),
    });
  });

  it.each([
    ["not a URL", {}, /http\(\): "not a URL" is not an http or https URL/],
    ["localhost:3000/mcp", {}, /URL, such as "http:\/\/localhost:3000\/mcp"\.$/],
    ["ftp://shop.example", {}, /http or https URL/],
    ["https://me:secret@shop.example", {}, /shop\.example contains a user name or password/],
    [URL_OF_SHOP, { header: {} }, /http has no option "header"\. Did you mean "headers"/],
    [URL_OF_SHOP, { headers: { "x y": "secret" } }, /"x y" is not a header/],
    [URL_OF_SHOP, { headers: { authorization: "a\nb" } }, /"authorization" is not a header/],
    [URL_OF_SHOP, { headers: new Headers({ a: "secret" }) }, /an object of the class Headers/],
    [URL_OF_SHOP, Object.create({ header: "secret" }), /http has no option "header"/],
  ])("Refuses %s with %j at once.", (url, options, message) => {
    const error = catchError(() => http(url, options as object));
    expect(error).toMatchObject({ code: "invalid-options" });
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    expect(String(error)).not.toContain("secret");
  });
});

function catchError(work: () => unknown): unknown {
  try {
    return work();
  } catch (cause) {
    return cause;
  }
}
