import { describe, expect, it, onTestFinished } from "vitest";
import { createHost } from "../../src/index.ts";
import type { McpClientLike } from "../../src/servers/to-port.ts";
import { stdioLibraries } from "./processes.ts";

async function open(connect: () => Promise<McpClientLike>) {
  const host = await createHost({ servers: { own: connect } });
  onTestFinished(() => host.close());
  const pid = async () => (await host.call({ tool: "live" })).result.content[0]?.text;
  return { host, pid };
}

describe.each(stdioLibraries)("a server process, started by a function with $name", ({ stdio }) => {
  it("that dies in a call is started again for the next, and all calls under way end", async () => {
    const { host, pid } = await open(stdio);
    const before = await pid();
    const waiting = host.run({ tool: "wait" });
    const died = await host.run({ tool: "die" });
    expect(died).toMatchObject({ ended: "failed", error: { code: "outcome-unknown" } });
    expect(await waiting).toMatchObject({ error: { code: "outcome-unknown" } });
    expect(await pid()).not.toBe(before);
  });

  it("that dies between calls is started again, and no call is lost", async () => {
    const { pid } = await open(stdio);
    const before = Number(await pid());
    process.kill(before, "SIGKILL");
    await expect.poll(pid).not.toBe(String(before));
  });
});

describe("a server process that sends more than its client takes", () => {
  it.each(stdioLibraries.slice(0, 3))(
    "is reported to all whose calls it ended, and started again, with $name",
    async ({ stdio }) => {
      const { host, pid } = await open(stdio);
      const waiting = host.run({ tool: "wait" });
      const { error } = await host.run({ tool: "huge" });
      expect(error).toMatchObject({ code: "outcome-unknown" });
      expect(error?.message).toMatch(/own\.huge.*exceeded maximum size of 10485760 bytes/s);
      expect((await waiting).error?.message).toContain("exceeded maximum size");
      expect(await pid()).toMatch(/^\d+$/);
    },
  );
});
