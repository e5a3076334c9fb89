import { WORKFLOW_DESERIALIZE, WORKFLOW_SERIALIZE } from "@workflow/serde";
import { simulateReadableStream } from "ai";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const CALLS = ["reserve", "charge", "ship"];

/** Asks for one call after the other, by the results that it reads. */
class ScriptedModel {
  specificationVersion = "v4";
  provider = "evidence";
  modelId = "scripted";
  supportedUrls = {};

  constructor(order) {
    this.order = order;
  }

  static [WORKFLOW_SERIALIZE]({ order }) {
    return { order };
  }

  static [WORKFLOW_DESERIALIZE]({ order }) {
    return new ScriptedModel(order);
  }

  async doGenerate() {
    throw new Error("The agent streams.");
  }

  async doStream({ prompt }) {
    const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    const toolName = CALLS[results.length];
    const input = JSON.stringify({ order: this.order });
    const said = toolName
      ? [{ type: "tool-call", toolCallId: `call-${results.length + 1}`, toolName, input }]
      : [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "It is on its way." },
          { type: "text-end", id: "1" },
        ];
    const finishReason = { unified: toolName ? "tool-calls" : "stop", raw: undefined };
    const chunks = [
      { type: "stream-start", warnings: [] },
      ...said,
      { type: "finish", finishReason, usage: USAGE },
    ];
    return { stream: simulateReadableStream({ chunks }) };
  }
}

export const scriptedModel = (order) => new ScriptedModel(order);
