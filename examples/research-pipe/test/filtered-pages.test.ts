import { compilePipe } from "@toolrail/langgraph/pipe";
import { parsePipe, runPipe } from "@toolrail/pipe";
import { flow } from "@toolrail/pipe/flow";
import { expect, it } from "vitest";
import { openResearch } from "../src/open-research.ts";
import { filteredPages } from "../src/specs.ts";

it("The pages that a filter leaves are fetched, and the branch depends on their number.", async () => {
  await using research = await openResearch({ pageBytes: 20 * 1024 });
  const { host, toolCalls } = research;
  const pipe = parsePipe(host, { spec: filteredPages, flow: flow() });
  const calls = async (vars: object, run: (vars: object) => Promise<object>) => {
    const from = toolCalls.length;
    const result = await run(vars);
    return { result, calls: toolCalls.slice(from).map((tool) => tool.split(".")[1]) };
  };
  const graph = compilePipe(host, { spec: pipe });
  for (const run of [
    (vars: object) => runPipe(host, { spec: pipe, vars: { ...vars } }),
    (vars: object) => graph.invoke({ vars: { ...vars } }),
  ]) {
    const some = await calls({}, run);
    expect(some.calls).toEqual(["web_search", "web_fetch", "extract_key_info"]);
    expect(some.result).toMatchObject({ ok: true, result: [/\w+/, /\w+/] });
    const none = await calls({ without: "Golang" }, run);
    expect(none.calls).toEqual(["web_search", "web_search"]);
    expect(none.result).toMatchObject({ ok: true, result: [/MCP|Context/, /MCP|Context/] });
  }
});
