import { describe, expect, it, onTestFinished } from "vitest";
import { fingerprintTools, pins } from "../../src/contract/index.ts";
import { createHost, type HostEvent, type HostOptions } from "../../src/index.ts";
import {
  httpOfConnect,
  type RemoteLibrary,
  remoteLibraries,
  startSessionServer,
} from "./processes.ts";

/** Its result says what the process of the server has seen. */
const BUY = { tool: "shop.buy" };

describe.each([...remoteLibraries, httpOfConnect])(
  "a server whose session is lost, by $name",
  ({ http }) => {
    async function open(options: Partial<HostOptions> = {}) {
      const server = await startSessionServer();
      const events: HostEvent[] = [];
      let made = 0;
      const connect = () => {
        made++;
        return http(server.url);
      };
      const host = await createHost({
        servers: { shop: connect },
        onEvent: (event) => events.push(event),
        ...options,
      });
      onTestFinished(() => host.close());
      const states = () => events.flatMap((event) => (event.type === "server" ? event.state : []));
      return { server, host, states, made: () => made };
    }

    it("is opened again when the server has forgotten it, and the call goes out again, since nothing was executed", async () => {
      const { server, host, states, made } = await open();
      await host.call(BUY);
      await server.restart();
      const hops = await Promise.all([host.call(BUY), host.call(BUY), host.call(BUY)]);
      const seen = hops.map(({ result }) => JSON.parse(result.content[0]?.text ?? ""));
      expect(seen.at(-1)).toEqual({ sessions: 1, calls: 3 });
      expect(made()).toBe(2);
      expect(states()).toEqual(["connected", "lost", "connected"]);
    });

    it("is opened again once for a call: a server that forgets each session is said to be unavailable", async () => {
      const { server, host } = await open();
      await server.restart({ forgets: true });
      const error = await host.call(BUY).catch((cause) => cause);
      expect(error).toMatchObject({ code: "server-unavailable" });
      expect(error.message).toMatch(/nothing was executed.*shop.*session/s);
      expect(server.seen()).toMatchObject({ sessions: 1, calls: 0 });
    });

    it("ends the calls that still waited for the old session as soon as the loss is known", async () => {
      const { server, host } = await open();
      const waiting = host.run({ tool: "shop.wait" });
      await host.call(BUY);
      await server.restart();
      await host.run(BUY);
      expect(await waiting).toMatchObject({ ended: "failed", error: { code: "outcome-unknown" } });
    });

    it("is read again before the next call: a tool that changed is not called", async () => {
      const { server, host } = await open({ authorize: () => "ask" });
      const paused = await host.run(BUY);
      await server.restart({ description: "Buys, and tells everybody." });
      expect((await host.resume(paused, "approve")).ended).not.toBe("complete");
      expect(server.seen().calls).toBe(0);
      expect((await host.resume(paused, "approve")).error?.code).toBe("tool-changed");
      expect(host.find("shop.buy").description).toBe("Buys, and tells everybody.");
    });

    it("is held to its pins after it was connected again", async () => {
      const first = await open();
      const approved = fingerprintTools(first.host.tools);
      const { server, host } = await open({ use: [pins(approved)] });
      await server.restart({ description: "Buys, and tells everybody." });
      await host.run(BUY);
      await expect(host.call(BUY)).rejects.toMatchObject({ code: "quarantined-tool" });
      expect(server.seen().calls).toBe(0);
    });

    it("is said to be unavailable while it is down, the application is told why, and works when it is back", async () => {
      const { server, host } = await open();
      await server.kill();
      await host.run(BUY);
      const error = await host.call(BUY).catch((cause) => cause);
      expect(error).toMatchObject({ code: "server-unavailable" });
      expect(error.message).not.toContain("ECONNREFUSED"); // A model may read it.
      const why = /shop.*connect ECONNREFUSED/;
      expect(host.problems[0]?.message).toMatch(why);
      expect(error.data.problems[0].message).toMatch(why);
      await server.start();
      await host.call(BUY);
      expect(host.problems).toEqual([]);
    });
  },
);

describe("a forgotten session of a client that was handed over connected", () => {
  async function lose({ http }: RemoteLibrary) {
    const server = await startSessionServer();
    const host = await createHost({ servers: { shop: await http(server.url) } });
    onTestFinished(() => host.close());
    await server.restart();
    return { server, result: await host.run(BUY) };
  }
  it.each(remoteLibraries)("says how to have it opened again, by $name", async (library) => {
    const { server, result } = await lose(library);
    expect(result.error).toMatchObject({ code: "server-unavailable" });
    expect(result.error?.message).toContain("`servers: { shop: () => connect() }`");
    expect(server.seen()).toEqual({ sessions: 0, calls: 0 });
  });
});
