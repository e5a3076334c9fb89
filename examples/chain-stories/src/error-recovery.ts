// A database refuses an old credential. The error names the tool that renews it, and that tool the query again: what
// went wrong and how it went right are all in the one chain. A credential that cannot be renewed ends it.
import * as z from "zod";
import { openStory, says } from "./open-story.ts";

const query = { sql: z.string(), attempt: z.number().default(1) };

/** Opens a host over a database whose credential has expired. With `isRevoked`, no new one is issued. */
export function openDatabase({ isRevoked = false } = {}) {
  let isFresh = false;
  return openStory((server, nextTool) => {
    server.registerTool("run_query", { inputSchema: query }, async ({ sql, attempt }) => {
      if (isFresh) return says("3 rows.", { rows: 3 });
      const refused = { ...says("The credential has expired."), isError: true };
      if (attempt > 1) return refused;
      return { ...refused, _meta: await nextTool("renew_credential", { sql, attempt }) };
    });
    server.registerTool("renew_credential", { inputSchema: query }, async ({ sql, attempt }) => {
      if (isRevoked) return { ...says("The account is closed."), isError: true };
      isFresh = true;
      const _meta = await nextTool("run_query", { sql, attempt: attempt + 1 });
      return { ...says("The credential was renewed."), _meta };
    });
  });
}
