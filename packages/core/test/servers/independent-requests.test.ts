import { describe, expect, it, onTestFinished } from "vitest";
import { createHost } from "../../src/index.ts";
import { startGateway } from "./gateway.ts";
import { httpOfConnect, remoteLibraries } from "./processes.ts";

const BUY = { tool: "shop.buy" };

describe.each([...remoteLibraries, httpOfConnect])("a server over HTTP, by $name", ({ http }) => {
  it("gives 99 of 100 calls their results if the socket of one is cut, and is not connected again", async () => {
    const gateway = await startGateway();
    const host = await createHost({ servers: { shop: () => http(gateway.url) } });
    onTestFinished(() => host.close());
    const waiting: ((isCut?: boolean) => void)[] = [];
    gateway.fault = (response, answer) => {
      waiting.push((isCut = false) => {
        if (isCut) response.socket?.destroy();
        else response.writeHead(200, { "content-type": "application/json" }).end(answer);
      });
    };
    const calls = Array.from({ length: 100 }, () => host.run(BUY));
    await expect.poll(() => waiting.length).toBe(100);
    const [cut, ...others] = waiting;
    cut?.(true);
    await Promise.race(calls); // The loss is known before any other call is answered.
    for (const answer of others) answer();
    const ends = (await Promise.all(calls)).map(({ ended, error }) => error?.code ?? ended);
    expect(ends.filter((end) => end === "complete")).toHaveLength(99);
    expect(ends.filter((end) => end === "outcome-unknown")).toHaveLength(1);
    expect(gateway.executed()).toBe(100);
    gateway.fault = undefined;
    expect(await host.run(BUY)).toMatchObject({ ended: "complete" });
    expect(gateway.server.seen()).toEqual({ sessions: 1, calls: 101 });
  });
});
