import type { PendingCall } from "@toolrail/core";
import type { AppAnswer, AppRef, AppView } from "@toolrail/plugins/apps";
import type { AppMessage } from "../app/api/app/route";

/** The app that a page shows, and the conversation in which it does. */
export interface ShownApp {
  readonly app: AppRef;
  readonly conversation: string;
}

type Omitted<Message> = Message extends unknown ? Omit<Message, keyof ShownApp> : never;

async function post<Answer>(
  shown: ShownApp,
  { signal, ...message }: Omitted<AppMessage> & { readonly signal?: AbortSignal },
): Promise<Answer> {
  const response = await fetch("/api/app", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ app: shown.app, conversation: shown.conversation, ...message }),
    signal: signal ?? null,
  });
  if (!response.ok) throw new Error(`The app's request failed with status ${response.status}.`);
  return response.json();
}

export function readView(shown: ShownApp): Promise<AppView> {
  return post(shown, { type: "view" });
}

/** Lets the host answer a request of the app. Asks the user as long as it waits for them. `false` refuses the call. */
export async function askHost<Result>(
  shown: ShownApp,
  {
    method,
    params,
    signal,
    ask,
  }: {
    readonly method: string;
    readonly params: unknown;
    readonly signal: AbortSignal;
    readonly ask: (pending: PendingCall) => Promise<boolean>;
  },
): Promise<Result> {
  const request = { jsonrpc: "2.0", id: 1, method, params };
  let answer = await post<AppAnswer>(shown, { type: "answer", request, signal });
  while ("pending" in answer) {
    const { id, pending } = answer;
    const decision = (await ask(pending)) ? "approve" : { deny: "the user refused it" };
    answer = await post<AppAnswer>(shown, { type: "decide", id, decision, signal });
  }
  const { result, error } = answer.response as {
    readonly result?: Result;
    readonly error?: { readonly code: number; readonly message: string };
  };
  if (result !== undefined) return result;
  throw Object.assign(new Error(error?.message), { code: error?.code });
}
