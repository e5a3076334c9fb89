// The kind of a document decides how it is read. The server that recognises it names the extraction tool that fits, and a
// document that it does not know ends the chain with a question for the model.
import * as z from "zod";
import { openStory, type Register, says } from "./open-story.ts";

const document = { text: z.string() };

const KINDS = [
  { pattern: /invoice/i, tool: "extract_invoice" },
  { pattern: /agreement|contract/i, tool: "extract_contract" },
];

const register: Register = (server, nextTool) => {
  server.registerTool("read_document", { inputSchema: document }, async ({ text }) => {
    const kind = KINDS.find(({ pattern }) => pattern.test(text));
    if (!kind) return says("What kind of document is this? It is no invoice and no contract.");
    return { ...says(`Read by ${kind.tool}.`), _meta: await nextTool(kind.tool, { text }) };
  });
  server.registerTool("extract_invoice", { inputSchema: document }, ({ text }) => {
    const total = Number(/total:?\s*([\d.]+)/i.exec(text)?.[1]);
    return says(`An invoice over ${total}.`, { kind: "invoice", total });
  });
  server.registerTool("extract_contract", { inputSchema: document }, ({ text }) => {
    const parties = /between (.+?) and (.+?)[.,]/i.exec(text)?.slice(1) ?? [];
    return says(`A contract between ${parties.join(" and ")}.`, { kind: "contract", parties });
  });
};

export function openDocuments() {
  return openStory(register);
}
