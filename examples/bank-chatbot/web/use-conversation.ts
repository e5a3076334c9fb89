import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { ConversationView, Mode } from "../src/conversation/conversation-view.ts";
import { createConversation } from "./api.ts";

export interface CurrentConversation {
  readonly id: string;
  /** Undefined until the server has sent it. */
  readonly conversation: ConversationView | undefined;
  /** The server cannot be reached. */
  readonly isLost: boolean;
  /** Starts a new conversation. The back button returns to the one before. */
  start(mode: Mode): void;
}

/** The conversation in the address bar, as the server streams it to every tab that shows it. */
export function useConversation(): CurrentConversation {
  const id = useSyncExternalStore(onAddress, () => location.hash.slice(1));
  const [conversation, setConversation] = useState<ConversationView>();
  const [isLost, setIsLost] = useState(false);

  const start = useCallback((mode: Mode, isFirst = false) => {
    createConversation(mode).then(
      (created) => {
        if (isFirst) location.replace(`#${created.id}`);
        else location.hash = created.id;
      },
      () => setIsLost(true),
    );
  }, []);

  useEffect(() => {
    if (!id) return start("ai-sdk", true);
    const events = new EventSource(`/api/${id}/events`);
    events.onmessage = ({ data }) => {
      setConversation(JSON.parse(data) as ConversationView);
      setIsLost(false);
    };
    events.onerror = () => {
      const isUnknown = events.readyState === EventSource.CLOSED;
      if (isUnknown) start("ai-sdk", true);
      else setIsLost(true);
    };
    return () => events.close();
  }, [id, start]);

  return { id, conversation, isLost, start };
}

function onAddress(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}
