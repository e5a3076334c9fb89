// A table is checked before it is loaded. Where the check fails it is cleaned and checked again: the stages follow each
// other whatever a model makes of the messages.
import * as z from "zod";
import { openStory, type Register, says } from "./open-story.ts";

const table = { rows: z.array(z.array(z.string())) };

const register: Register = (server, nextTool) => {
  server.registerTool("import_table", { inputSchema: table }, async ({ rows }) => {
    const broken = rows.filter((row) => row.length !== rows[0]?.length).length;
    if (broken === 0) {
      return { ...says("All rows are complete."), _meta: await nextTool("load_table", { rows }) };
    }
    const text = `Rows with too few or too many cells: ${broken}.`;
    return { ...says(text), isError: true, _meta: await nextTool("clean_table", { rows }) };
  });
  server.registerTool("clean_table", { inputSchema: table }, async ({ rows }) => {
    const width = rows[0]?.length ?? 0;
    const full = rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ""));
    const _meta = await nextTool("import_table", { rows: full });
    return { ...says("Empty cells were put in."), _meta };
  });
  server.registerTool("load_table", { inputSchema: table }, ({ rows }) => {
    return says(`${rows.length} rows are loaded.`, { loaded: rows.length });
  });
};

export function openImport() {
  return openStory(register);
}
