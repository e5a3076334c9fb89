import { type Rule, startOfflineModel } from "@toolrail/example-offline-model";
import { onTestFinished } from "vitest";
import { WEB_AGENTS } from "../../src/web-server/agents/web-agents.ts";
import type { PageFiles } from "../../src/web-server/page-files.ts";
import { askBeforeLargeTransfers, toRequestMeta } from "../../src/web-server/policy.ts";
import { startWebServer, type WebServerOptions } from "../../src/web-server/start-web-server.ts";
import { createThreads, type ThreadsOptions } from "../../src/web-server/threads.ts";
import { webRules } from "../../src/web-server/web-rules.ts";
import { strictHistory } from "./strict-history.ts";

export interface WebOptions extends Partial<ThreadsOptions> {
  readonly bank: URL;
  readonly page?: PageFiles;
  readonly rules?: readonly Rule[];
  readonly measureRelay?: WebServerOptions["measureRelay"];
}

const NO_PAGE: PageFiles = { find: async () => undefined, remove: async () => {} };

/** The web server of the demo in this process, with the offline model, until the test has ended. */
export async function startWeb(options: WebOptions) {
  const { page = NO_PAGE, rules = webRules, measureRelay, ...threadsOptions } = options;
  const offline = await startOfflineModel({ rules: [strictHistory, ...rules] });
  const threads = createThreads({
    model: { url: offline.url, modelId: "offline-rules", apiKey: "none" },
    agents: WEB_AGENTS,
    authorize: askBeforeLargeTransfers,
    toRequestMeta,
    ...threadsOptions,
  });
  const web = await startWebServer({
    ...{ threads, page, app: { model: "offline" } },
    ...(measureRelay && { measureRelay }),
  });
  onTestFinished(async () => {
    await web.close();
    await threads.close();
    await offline.close();
  });
  return { url: web.url, modelCalls: offline.calls };
}
