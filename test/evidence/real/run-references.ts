import { createTools } from "@toolrail/ai-sdk";
import { createPipeTool } from "@toolrail/ai-sdk/pipe";
import { generateText, isStepCount } from "ai";
import { openCarryHost } from "../../../examples/research-pipe/src/carry/carry-host.ts";
import type { MeteredModel } from "./model.ts";
import type { Finding } from "./stories.ts";

const PROMPT = "Fetch the page, clean its text, and save the cleaned text as a note.";
const LENGTH = 10_000;

/** A page through three tools: written out again by the model, by a pipe, and by its address. */
export async function runReferences(metered: MeteredModel): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const way of ["relayed", "as a pipe", "by reference"]) {
    const { host, page, saved } = await openCarryHost(LENGTH, way === "by reference");
    const tools =
      way === "as a pipe" ? createPipeTool(host) : createTools(host, { conversation: way });
    try {
      await generateText({
        ...{ model: metered.model, prompt: PROMPT, tools, stopWhen: isStepCount(8), maxRetries: 1 },
      });
    } finally {
      await host.close();
    }
    const last = saved.at(-1);
    const outcome =
      last === undefined
        ? "nothing was saved"
        : last.trim() === page.trim()
          ? "saved whole"
          : `saved with mistakes: ${last.length} of ${page.length} characters`;
    findings.push({ what: way, outcome, ...(await metered.readCosts()) });
  }
  return findings;
}
