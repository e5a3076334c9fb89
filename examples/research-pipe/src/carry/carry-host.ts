import { createHost, type Host, type McpPort } from "@toolrail/core";
import { references } from "@toolrail/core/references";

/** A host over a server that fetches a page, cleans a text and saves one, and what it has saved. */
export interface CarryHost {
  readonly host: Host;
  readonly page: string;
  readonly saved: readonly string[];
}

const TEXT = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
};

/** The page has so many characters of plain words. */
export async function openCarryHost(length: number, isShort: boolean): Promise<CarryHost> {
  const page = writePage(length);
  const saved: string[] = [];
  const answers: Record<string, (text: string) => string> = {
    fetch_page: () => page,
    clean_text: (text) => text.trim(),
    save_text: (text) => `Saved as note ${saved.push(text)}.`,
  };
  const server: McpPort = {
    list: async () => ({
      tools: [
        { name: "fetch_page", description: "Fetches the page.", inputSchema: { type: "object" } },
        { name: "clean_text", description: "Takes markup out of a text.", inputSchema: TEXT },
        { name: "save_text", description: "Saves a text as a note.", inputSchema: TEXT },
      ],
    }),
    call: async ({ name, arguments: { text } = {} }) => ({
      content: [{ type: "text", text: answers[name]?.(String(text)) ?? "" }],
    }),
  };
  return {
    host: await createHost({ servers: { web: server }, use: isShort ? [references()] : [] }),
    page,
    saved,
  };
}

const WORDS =
  "the report of a year in which many small towns along the river built bridges mills and schools while prices rose".split(
    " ",
  );

/** Words in an order that does not soon repeat, in lines, at about four characters a token, as prose has it. */
function writePage(length: number): string {
  let page = "";
  for (let at = 1; page.length < length; at++) {
    const word = WORDS[(at * at * 31 + Math.floor(at / 22)) % WORDS.length];
    page += `${word}${at % 14 === 0 ? ".\n" : " "}`;
  }
  return `${page.slice(0, length - 1)}.`;
}
