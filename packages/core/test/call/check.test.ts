import { describe, expect, it } from "vitest";
import type { Authorization } from "../../src/call/call-options.ts";
import { createHost, ToolrailError } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const PAY = { tool: "bank.pay", arguments: { to: "ann" } };

async function open(authorize: () => Authorization) {
  const server = await createTestServer({ pay: {} });
  const host = await createHost({ servers: { bank: server.client }, authorize });
  return { host, server };
}

describe("host.check", () => {
  it("says whether a call would be allowed, asked about or refused, and sends nothing", async () => {
    let answer: Authorization = "allow";
    const { host, server } = await open(() => answer);
    expect(await host.check(PAY)).toMatchObject({
      type: "allow",
      call: { arguments: PAY.arguments },
    });
    answer = { ask: "it is much" };
    expect(await host.check(PAY)).toMatchObject({ type: "ask", reason: "it is much" });
    answer = { deny: "no" };
    const refused = await host.check(PAY);
    expect(refused.type === "refuse" && ToolrailError.isInstance(refused.error, "denied")).toBe(
      true,
    );
    expect(server.calls).toEqual([]);
  });

  it("is plain data: the call is checked again when it is made", async () => {
    let answer: Authorization = "allow";
    const { host, server } = await open(() => answer);
    const verdict = await host.check(PAY);
    expect(JSON.parse(JSON.stringify(verdict))).toMatchObject({ type: "allow" });
    answer = { deny: "no" };
    await expect(host.call(PAY)).rejects.toMatchObject({ code: "denied" });
    expect(server.calls).toEqual([]);
  });

  it("describes a question of its own each time that it asks", async () => {
    const { host } = await open(() => "ask");
    const bindings = [await host.check(PAY), await host.check(PAY)].map((verdict) =>
      verdict.type === "ask" ? verdict.binding : "",
    );
    expect(new Set(bindings).size).toBe(2);
  });

  it("takes no answer of another check in place of a request", async () => {
    const { host } = await open(() => "allow");
    const verdict = await host.check(PAY);
    await expect(host.call(verdict as never)).rejects.toMatchObject({ code: "invalid-options" });
  });
});
