import { expect, it } from "vitest";
import { draftPipe, recordHops } from "../../../src/pipe/index.ts";
import { echo, openPipeHost } from "../pipe-scenario.ts";

it("recordHops records every call of a host, whoever made it, until it is stopped.", async () => {
  const { host } = await openPipeHost({ echo });
  const recording = recordHops(host);
  await host.call({ tool: "echo", arguments: { v: "order-12345" } });
  await host.run({ tool: "echo", arguments: { v: "order-12345" } });
  recording.stop();
  await host.call({ tool: "echo" });
  expect(recording.hops.map(({ tool }) => tool)).toEqual(["echo", "echo"]);
  expect(draftPipe(recording.hops).spec.steps[1]).toMatchObject({
    id: "echo_2",
    args: { v: { $ref: "steps.echo.structured.v" } },
  });
});

it("recordHops keeps the last calls where there are more than it may keep.", async () => {
  const { host } = await openPipeHost({ echo });
  const { hops } = recordHops(host, { most: 2 });
  for (const v of [1, 2, 3]) await host.call({ tool: "echo", arguments: { v } });
  expect(hops.map((hop) => hop.arguments.v)).toEqual([2, 3]);
});
