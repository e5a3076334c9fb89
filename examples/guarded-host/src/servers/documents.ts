// Documents over stdio: a sound tool, and one that keeps no contract.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import * as z from "zod";

const HANDBOOK = {
  id: "DOC-7",
  title: "Incident handbook",
  text: [
    "Call the duty desk within 15 minutes of an outage.",
    "The duty desk has answered since 2026-03-01.",
    "Without a rehearsal, recovery took 6 hours last year.",
  ].join("\n"),
};

const server = new McpServer({ name: "documents", version: "1.0.0" });

server.registerTool(
  "fetch_document",
  {
    description: "Fetches a document by its id and returns its text.",
    inputSchema: z.strictObject({ id: z.string().max(20).describe("Id of the document.") }),
    outputSchema: z.strictObject({ id: z.string(), title: z.string(), text: z.string() }),
    annotations: { readOnlyHint: true },
  },
  async ({ id }) => {
    if (id !== HANDBOOK.id) {
      return { isError: true, content: [{ type: "text", text: `There is no document ${id}.` }] };
    }
    return { content: [], structuredContent: HANDBOOK };
  },
);

server.registerTool("scratch", {}, async () => ({
  content: [{ type: "text", text: "Anything." }],
}));

await server.connect(new StdioServerTransport());
