import { useEffect, useState, useSyncExternalStore } from "react";
import type { ConversationView, Mode, TurnInput } from "../src/conversation/conversation-view.ts";

/** What the page shows, and how the customer acts in it. */
export interface Chat {
  readonly id: string;
  readonly conversation: ConversationView;
  act(input: TurnInput): void;
}

/** Asks the server. With a body, it is a POST. */
export async function request<T>(path: string, body?: object): Promise<T> {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  const response = await fetch(path, body && { ...post, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return (await response.json()) as T;
}

/** The conversation in the address bar, as the server streams it to every tab that shows it. */
export function useConversation() {
  const id = useSyncExternalStore(onAddress, () => location.hash.slice(1));
  const [conversation, setConversation] = useState<ConversationView>();
  const [isLost, setIsLost] = useState(false);
  const attempt = (asked: Promise<unknown>) => void asked.catch(() => setIsLost(true));

  useEffect(() => {
    const startFirst = () => void start("ai-sdk").catch(() => setIsLost(true));
    if (!id) return startFirst();
    const events = new EventSource(`/api/${id}/events`);
    events.onmessage = ({ data }) => {
      setConversation(JSON.parse(data) as ConversationView);
      setIsLost(false);
    };
    events.onerror = () => {
      const isUnknown = events.readyState === EventSource.CLOSED;
      if (isUnknown) startFirst();
      else setIsLost(true);
    };
    return () => events.close();
  }, [id]);

  return {
    ...{ id, conversation, isLost },
    start: (mode: Mode) => attempt(start(mode)),
    act: (input: TurnInput) => attempt(request(`/api/${id}/turns`, input)),
  };
}

/** Starts a conversation, whose id the address bar keeps. */
async function start(mode: Mode): Promise<void> {
  const { id } = await request<{ readonly id: string }>("/api", { mode });
  location.replace(`#${id}`);
}

function onAddress(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
