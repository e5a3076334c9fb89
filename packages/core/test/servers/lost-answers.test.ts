import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHost, type HostOptions } from "../../src/index.ts";
import { faults, type Gateway, silentFaults, startGateway } from "./gateway.ts";
import { httpOfConnect, type RemoteLibrary, remoteLibraries } from "./processes.ts";

const BUY = { tool: "shop.buy" };

async function open({ http }: RemoteLibrary, gateway: Gateway, options?: Partial<HostOptions>) {
  const connect = () => http(gateway.url);
  const host = await createHost({ servers: { shop: connect }, onEvent() {}, ...options });
  onTestFinished(() => host.close());
  return host;
}

const libraries = [...remoteLibraries, httpOfConnect];

describe.each(libraries)(
  "a call that was executed and whose answer is lost, by $name",
  (library) => {
    it("has an unknown outcome, whatever comes in place of the answer, and the next call works", async () => {
      const gateway = await startGateway();
      const host = await open(library, gateway);
      for (const [name, fault] of Object.entries(faults)) {
        const before = gateway.executed();
        gateway.fault = fault;
        expect([name, (await host.run(BUY)).error?.code]).toEqual([name, "outcome-unknown"]);
        expect([name, gateway.executed() - before]).toEqual([name, 1]);
      }
      gateway.fault = undefined;
      expect((await host.run(BUY)).ended).toBe("complete");
    });

    it("has an unknown outcome if a server without sessions answers 404", async () => {
      const gateway = await startGateway({ hidesSession: true });
      const host = await open(library, gateway);
      gateway.fault = (response) => response.writeHead(404).end("no receipt found");
      expect((await host.run(BUY)).error).toMatchObject({ code: "outcome-unknown" });
      expect(gateway.executed()).toBe(1);
    });

    it("needs a sign-in if the status is 401", async () => {
      const gateway = await startGateway();
      const host = await open(library, gateway);
      gateway.fault = (response) => response.writeHead(401).end("who are you?");
      expect((await host.run(BUY)).error).toMatchObject({ code: "needs-sign-in" });
    });

    it("is answered by an error of the protocol", async () => {
      const gateway = await startGateway();
      const host = await open(library, gateway);
      gateway.fault = (response, answer) => {
        const { id } = JSON.parse(answer) as { id: number };
        const error = { code: -32_000, message: "Connection closed by the bank" };
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
      };
      const { error } = await host.run(BUY);
      expect(error).toMatchObject({ code: "protocol", data: { code: -32_000 } });
    });
  },
);

describe("a call whose client does not notice that its answer is lost", () => {
  it.each(libraries)("has an unknown outcome when its time is up, by $name", async (library) => {
    const gateway = await startGateway();
    const host = await open(library, gateway);
    const left = Object.values(silentFaults);
    const count = left.length;
    gateway.fault = (...given) => left.pop()?.(...given);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const calls = Array.from({ length: count }, () => host.run(BUY));
      await expect.poll(() => gateway.executed()).toBe(count);
      await vi.advanceTimersByTimeAsync(60_000);
      const codes = (await Promise.all(calls)).map(({ error }) => error?.code);
      expect(codes).toEqual(calls.map(() => "outcome-unknown"));
    } finally {
      vi.useRealTimers();
    }
  });
});
