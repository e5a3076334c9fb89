// Research over stdio: finds pages of one site, fetches them, and picks out what answers a question.
//   node src/research-server.ts http://127.0.0.1:PORT
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { keyPassages } from "./key-passages.ts";

const site = new URL(process.argv[2] ?? "");
const server = new McpServer({ name: "research", version: "1.0.0" });
const annotations = { readOnlyHint: true };
const searchResult = z.strictObject({ url: z.string(), title: z.string() });

server.registerTool(
  "web_search",
  {
    description: "Searches the web, best pages first.",
    inputSchema: z.strictObject({ query: z.string().min(1).describe("What to look for.") }),
    outputSchema: z.strictObject({ results: z.array(searchResult) }),
    annotations,
  },
  async ({ query }) => {
    const response = await fetch(new URL(`/search?q=${encodeURIComponent(query)}`, site));
    const results = z.array(searchResult).parse(await response.json());
    if (results.length === 0) return toError(`No page is about "${query}".`);
    return toResult({ results });
  },
);

server.registerTool(
  "web_fetch",
  {
    description: "Fetches a page and returns its text.",
    inputSchema: z.strictObject({ url: z.url().describe("Address of the page.") }),
    outputSchema: z.strictObject({ url: z.string(), content: z.string() }),
    annotations,
  },
  async ({ url }) => {
    // A server that fetched every address would be a way into its own network.
    if (new URL(url).origin !== site.origin) return toError(`${url} is not on this site.`);
    const response = await fetch(url, { redirect: "error" });
    if (!response.ok)
      return toError(`The page ${new URL(url).pathname} answered ${response.status}.`);
    return toResult({ url, content: await response.text() });
  },
);

server.registerTool(
  "extract_key_info",
  {
    description: "Picks the passages of a text that say most about a question.",
    inputSchema: z.strictObject({
      query: z.string().min(1).describe("The question."),
      materials: z.string().describe("The text, passages parted by empty lines."),
    }),
    outputSchema: z.strictObject({ contexts: z.array(z.string()) }),
    annotations,
  },
  async ({ query, materials }) => toResult({ contexts: keyPassages(query, materials) }),
);

await server.connect(new StdioServerTransport());

/** The value twice, as the protocol advises: for programs, and as text for clients that read only text. */
function toResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

function toError(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}
