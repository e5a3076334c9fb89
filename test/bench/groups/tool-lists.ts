import { loadMcpTools } from "@langchain/mcp-adapters";
import { createTools as createAiSdkTools } from "@toolrail/ai-sdk";
import { createHost, type Host } from "@toolrail/core";
import { createTools as createLangGraphTools } from "@toolrail/langgraph";
import { type CompareOptions, compare } from "../compare.ts";
import { AI_SDK, AI_SDK_MCP, HOST, LANGGRAPH, LISTS, MCP_ADAPTERS, PLAIN_LISTS } from "../names.ts";
import { remeasure } from "../remeasure.ts";
import { type Row, rowsOf } from "../row.ts";
import { connectInMemory } from "../servers/connect.ts";
import { ACCOUNT } from "../servers/tools.ts";
import { ratioOf } from "../spread.ts";
import { collectOnce, measureKept } from "./memory-kept.ts";

const KINDS = {
  [LISTS]: { counts: [1, 10, 100, 1_000], outputSchema: ACCOUNT },
  [PLAIN_LISTS]: { counts: [1_000], outputSchema: undefined },
};

/** Listing one to a thousand tools, and making tools of a framework of them. */
export async function measureToolLists(
  group: keyof typeof KINDS,
  { forMs }: CompareOptions,
): Promise<Row[]> {
  const { counts, outputSchema } = KINDS[group];
  const rows: Row[] = [];
  for (const count of counts) {
    const tools = manyTools(count, { inputSchema: ACCOUNT, ...(outputSchema && { outputSchema }) });
    const { client, other, close } = await connectInMemory(tools, { json: false });
    const open = () => createHost({ servers: { bank: { client, shared: true } } });
    const opened = async (use: (host: Host) => unknown) => {
      const host = await open();
      use(host);
      await host.close();
    };
    const runs = {
      listTools: () => client.listTools(),
      [HOST]: () => opened(() => {}),
      [AI_SDK]: () => opened(createAiSdkTools),
      [LANGGRAPH]: () => opened(createLangGraphTools),
      [MCP_ADAPTERS]: () => loadMcpTools("bank", client),
      [AI_SDK_MCP]: () => other.tools(),
    };
    const at = `${count.toLocaleString("en")} ${count === 1 ? "tool" : "tools"}`;
    const measured = await remeasure(async () => {
      // A thousand compiled schemas are garbage that would be collected in the turns of others.
      const before = outputSchema && collectOnce;
      const { listTools, ...rest } = await compare(runs, { forMs: forMs * 2, before });
      const ratios = Object.entries(rest).map(
        ([who, us]) => [who, ratioOf(us, listTools)] as const,
      );
      return rowsOf({ group, at, unit: "x" }, Object.fromEntries(ratios));
    });
    rows.push(...measured);
    if (group === LISTS && count === 1_000) {
      const kept = { "memory kept": await measureKept(open) };
      rows.push(...rowsOf({ group, at, unit: "MB" }, kept));
    }
    await close();
  }
  return rows;
}

function manyTools(count: number, schemas: object) {
  const names = Array.from({ length: count }, (_, at) => `tool_${at}`);
  return Object.fromEntries(
    names.map((name, at) => {
      const description = `Tool number ${at} of the bank, for an account.`;
      return [name, { definition: { ...schemas, description }, answer: () => ({ content: [] }) }];
    }),
  );
}
