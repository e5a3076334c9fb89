import { expect, it } from "vitest";
import { createProcessTransport } from "../src/servers/process-transport.ts";

it("Where a program closes its input and then ends, a message fails when its exit code is known.", async () => {
  const code = `require("node:fs").closeSync(0); console.error("closed"); setTimeout(() => process.exit(4), 200);`;
  const closed = Promise.withResolvers<string>();
  const target = {
    type: "stdio",
    name: "a",
    command: process.execPath,
    args: ["-e", code],
    env: {},
  } as const;
  const transport = createProcessTransport(target, closed.resolve);
  await transport.start();
  await closed.promise;
  const sent = transport.send({ jsonrpc: "2.0", id: 1, method: "ping" });
  await expect(sent).rejects.toThrow();
  expect(transport.state().ended).toBe(4);
});
