import type { TurnInput } from "./protocol.ts";
import { createThreads, type ThreadsOptions } from "./threads.ts";

/** Plays a short conversation in every mode, so that the first customer need not wait for cold code. */
export async function warmUp(options: ThreadsOptions, pin: string): Promise<void> {
  const threads = createThreads({ ...options, onProblem: () => {} });
  try {
    for (const mode of threads.modes) {
      const thread = threads.create(mode);
      if (!thread) continue;
      const { messages } = await thread.view();
      const control = messages
        .flatMap(({ parts }) => parts)
        .find(({ type }) => type === "data-control");
      const id = control && "id" in control && control.id ? control.id : "";
      const inputs: TurnInput[] = [
        { type: "control", id, value: pin },
        { type: "text", text: "Which accounts do I have?" },
      ];
      for (const input of inputs) await thread.take(crypto.randomUUID(), input, () => {});
    }
  } finally {
    await threads.close();
  }
}
