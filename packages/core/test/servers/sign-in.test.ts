import { auth as authAiSdk, createMCPClient } from "@ai-sdk/mcp";
import {
  auth,
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { auth as authV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createHost, type HostEvent, type HostOptions, type Server } from "@toolrail/core";
import { http } from "@toolrail/core/connect";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bringBack, sdks, takeAway } from "../connect/sdks.ts";
import { startSignInServer } from "./sign-in-server.ts";

const INFO = { name: "test-client", version: "1" };
const BUY = { tool: "shop.buy" };

/** An OAuth provider that keeps what it is given, and counts how often the user would have been sent to sign in. */
function createProvider() {
  const kept = new Map<string, unknown>();
  const counts = { redirected: 0 };
  const provider = {
    redirectUrl: "http://localhost/callback",
    clientMetadata: { redirect_uris: ["http://localhost/callback"] },
    clientInformation: () => ({ client_id: "toolrail" }),
    tokens: () => kept.get("tokens"),
    saveTokens: (tokens: unknown) => void kept.set("tokens", tokens),
    redirectToAuthorization: () => void counts.redirected++,
    saveCodeVerifier: (verifier: string) => void kept.set("verifier", verifier),
    codeVerifier: () => kept.get("verifier"),
    authorizationServerInformation: () => kept.get("server"),
    saveAuthorizationServerInformation: (server: unknown) => void kept.set("server", server),
    discoveryState: () => kept.get("discovery"),
    saveDiscoveryState: (state: unknown) => void kept.set("discovery", state),
    invalidateCredentials: () => void kept.delete("tokens"),
  };
  return { provider: provider as never, counts };
}

type Provider = ReturnType<typeof createProvider>["provider"];

interface Library {
  readonly name: string;
  readonly missing?: readonly string[];
  server(url: URL, authProvider: Provider): Server;
  auth(
    provider: Provider,
    options: { serverUrl: URL; authorizationCode: string },
  ): Promise<unknown>;
}

const libraries: readonly Library[] = [
  {
    name: "@modelcontextprotocol/sdk 1",
    server: (url, authProvider) => async () => {
      const client = new ClientV1(INFO);
      await client.connect(new HttpV1(url, { authProvider }) as never);
      return client;
    },
    auth: authV1,
  },
  {
    name: "@modelcontextprotocol/client 2",
    server: (url, authProvider) => async () => {
      const client = new ClientV2(INFO);
      await client.connect(new HttpV2(url, { authProvider }));
      return client;
    },
    auth,
  },
  {
    name: "@ai-sdk/mcp 2",
    server: (url, authProvider) => () =>
      createMCPClient({ transport: { type: "http", url: url.href, authProvider } }),
    auth: authAiSdk,
  },
  ...sdks.map(({ name, missing }) => ({
    name: `http() with ${name}`,
    missing,
    server: (url: URL, authProvider: Provider) => http(url, { authProvider }),
    auth: name === "@modelcontextprotocol/sdk" ? authV1 : auth,
  })),
];

describe.each(libraries)("a server that asks for a sign-in, by $name", (library) => {
  const { server: toServer, auth, missing = [] } = library;
  beforeAll(() => takeAway(missing));
  afterAll(() => bringBack(missing));
  async function open(options: Partial<HostOptions> = {}) {
    const server = await startSignInServer();
    const { provider, counts } = createProvider();
    const events: HostEvent[] = [];
    const host = await createHost({
      servers: { shop: toServer(server.url, provider) },
      onEvent: (event) => events.push(event),
      ...options,
    });
    onTestFinished(() => host.close());
    const signIn = () => auth(provider, { serverUrl: server.url, authorizationCode: "code" });
    return { server, host, counts, events, signIn };
  }

  it("is in a state of its own: the host says what to do, and a call of its tools ends with needs-sign-in", async () => {
    const { host, counts, events } = await open();
    expect(host.problems).toEqual([
      expect.objectContaining({ server: "shop", code: "needs-sign-in" }),
    ]);
    expect(host.problems[0]?.message).toContain('host.refresh("shop")');
    expect(events).toContainEqual(
      expect.objectContaining({ type: "server", server: "shop", state: "needs-sign-in" }),
    );
    expect(counts.redirected).toBeGreaterThan(0);
    const { error } = await host.run(BUY);
    expect(error).toMatchObject({ code: "needs-sign-in", data: { server: "shop" } });
  });

  it("continues once the user has signed in", async () => {
    const { server, host, signIn } = await open();
    await signIn();
    await host.refresh("shop");
    expect(host.problems).toEqual([]);
    expect((await host.run(BUY)).ended).toBe("complete");
    expect(server.calls).toEqual(["buy"]);
  });

  it("says so in the middle of a session too: the call fails, and is made once the user has signed in again", async () => {
    const { server, host, signIn, events } = await open();
    await signIn();
    await host.refresh("shop");
    server.revoke();
    const first = await host.run(BUY);
    expect(first.error).toMatchObject({ code: "needs-sign-in", data: { server: "shop" } });
    expect(host.problems).toMatchObject([{ server: "shop", code: "needs-sign-in" }]);
    const states = events.filter(
      (event) => event.type === "server" && event.state === "needs-sign-in",
    );
    expect(states).toHaveLength(2);
    await signIn();
    await host.refresh("shop");
    expect(host.problems).toEqual([]);
    expect((await host.run(BUY)).ended).toBe("complete");
    expect(server.calls).toEqual(["buy"]);
  });
});

describe("the guide's application", () => {
  it("sends the user to sign in and continues in the callback", async () => {
    const server = await startSignInServer();
    const { provider: authProvider } = createProvider();
    const shown: string[] = [];
    const showSignIn = (name: string) => shown.push(name);
    const [serverUrl, authorizationCode] = [server.url, "code"];

    const host = await createHost({
      servers: { shop: http(serverUrl, { authProvider }) },
      onEvent: (event) => {
        if (event.type === "server" && event.state === "needs-sign-in") showSignIn(event.server);
      },
    });
    // Later, in the callback of the authorization server: the SDK's `auth` stores the tokens.
    await auth(authProvider, { serverUrl, authorizationCode });
    await host.refresh("shop");

    expect(shown).toEqual(["shop"]);
    expect((await host.run(BUY)).ended).toBe("complete");
    await host.close();
  });
});
