import { randomUUID } from "node:crypto";
import type { BankData, Mode, ThreadView, TurnInput } from "../../src/web-server/protocol.ts";

/** A page without a browser: it starts a conversation and takes turns in it. */
export async function startConversation(url: URL, mode: Mode = "ai-sdk") {
  const post = (path: string, body: object) =>
    fetch(new URL(path, url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const { id } = (await (await post("/api/threads", { mode })).json()) as { id: string };

  async function view(): Promise<ThreadView> {
    return (await (await fetch(new URL(`/api/threads/${id}`, url))).json()) as ThreadView;
  }

  /** Takes a turn, and gives the text of its stream when it has ended. */
  async function take(input: TurnInput, messageId: string = randomUUID()): Promise<string> {
    return (await post(`/api/threads/${id}/turns`, { messageId, input })).text();
  }

  /** All parts of that name, oldest first. */
  async function parts<Name extends keyof BankData & string>(name: Name) {
    const { messages } = await view();
    return messages
      .flatMap((message) => message.parts)
      .filter((part) => part.type === `data-${name}`)
      .map((part) => part as unknown as { readonly id: string; readonly data: BankData[Name] });
  }

  return {
    id,
    view,
    take,
    parts,
    stop: async () => void (await post(`/api/threads/${id}/stop`, {})),
    say: (text: string) => take({ type: "text", text }),
    /** Answers the newest control. */
    async answer(value: string) {
      const control = (await parts("control")).at(-1);
      return take({ type: "control", id: control?.id ?? "none", value });
    },
    /** What the customer was shown word for word, line by line. */
    async shown(): Promise<string[]> {
      const blocks = (await parts("shown")).flatMap(({ data }) => data.blocks);
      return blocks.map((block) => (block.type === "text" ? block.text : block.type));
    },
  };
}
