import { countTokens } from "@toolrail/example-offline-model";
import { definePipeTool, type PipeToolSettings } from "@toolrail/pipe";
import { flow } from "@toolrail/pipe/flow";
import { expect, it } from "vitest";
import { openResearch } from "../src/open-research.ts";

it("The definition of mcp_pipe over three tools costs a model under 400 tokens, and under 600 with conditions and lists.", async () => {
  await using research = await openResearch({ pageBytes: 1024 });
  const tokensOf = (settings: PipeToolSettings) =>
    countTokens(JSON.stringify(definePipeTool(research.host, settings)));
  console.log(tokensOf({}), tokensOf({ flow: flow() }));
  expect(tokensOf({})).toBeLessThan(400);
  expect(tokensOf({ flow: flow() })).toBeLessThan(600);
});
