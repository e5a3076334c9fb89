import type { ContentBlock } from "@toolrail/core";

/** Shows the user what is for the user alone, here on the console: a step, and so once, however often it is replayed. */
export async function showUser(content: readonly ContentBlock[]) {
  "use step";
  for (const { text } of content) console.log(`the user is shown: ${text}`);
}
