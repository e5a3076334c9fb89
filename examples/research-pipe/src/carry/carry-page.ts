import { startOfflineModel } from "@toolrail/example-offline-model";
import { openCarryHost } from "./carry-host.ts";
import { carryRules } from "./carry-rules.ts";
import { FRAMEWORKS, type Way } from "./frameworks.ts";

/** The costs of carrying a page through three tools, on the wire of the provider. */
export interface Carried {
  readonly modelCalls: number;
  /** The tokens of all prompts and answers, by o200k. */
  readonly tokens: number;
  /** The last tool was given the page as the first one had it. */
  readonly isWhole: boolean;
}

/** Carries a page of so many characters in this way. */
export async function carryPage(
  framework: string,
  { way, length }: { readonly way: Way; readonly length: number },
): Promise<Carried> {
  const { host, page, saved } = await openCarryHost(length, way === "by reference");
  const model = await startOfflineModel({ rules: carryRules });
  try {
    await FRAMEWORKS[framework]?.({ host, way, url: model.url });
    const tokens = model.calls.map((call) => call.promptTokens + call.completionTokens);
    return {
      modelCalls: model.calls.length,
      tokens: tokens.reduce((sum, count) => sum + count, 0),
      isWhole: saved.length === 1 && saved[0] === page,
    };
  } finally {
    await model.close();
    await host.close();
  }
}
