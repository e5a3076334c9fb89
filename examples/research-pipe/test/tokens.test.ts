import { definePipeTool } from "@toolrail/core/pipe";
import { countTokens } from "@toolrail/example-offline-model";
import { expect, it } from "vitest";
import { openResearch } from "../src/open-research.ts";

it("The definition of mcp_pipe over three tools costs a model under 400 tokens.", async () => {
  await using research = await openResearch({ pageBytes: 1024 });
  expect(countTokens(JSON.stringify(definePipeTool(research.host)))).toBeLessThan(400);
});
