import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type {
  ApprovalView,
  BankMessage,
  ControlView,
  StatusView,
  ThreadView,
  TurnInput,
} from "../src/web-server/protocol.ts";
import { findThread } from "./api.ts";

/** What the server has said about a part of an earlier message. */
export interface Updates {
  readonly controls: Readonly<Record<string, ControlView>>;
  readonly approvals: Readonly<Record<string, ApprovalView>>;
}

export interface Conversation {
  readonly messages: readonly BankMessage[];
  readonly updates: Updates;
  readonly status: StatusView;
  readonly isBusy: boolean;
  readonly hasFailed: boolean;
  act(label: string, input: TurnInput): void;
}

const NONE: Updates = { controls: {}, approvals: {} };

/** The conversation as `useChat` streams it. The server keeps the history: only what is new is sent. */
export function useConversation(thread: ThreadView): Conversation {
  const { id } = thread;
  const [status, setStatus] = useState(thread.status);
  const [updates, setUpdates] = useState(NONE);
  const transport = useMemo(
    () =>
      new DefaultChatTransport<BankMessage>({
        api: `/api/threads/${id}/turns`,
        prepareSendMessagesRequest: ({ messages, body }) => ({
          body: { messageId: messages.at(-1)?.id, input: body?.input },
        }),
      }),
    [id],
  );
  const chat = useChat<BankMessage>({
    id,
    messages: [...thread.messages],
    transport,
    onData(part) {
      if (part.type === "data-status") setStatus(part.data);
      const partId = part.id ?? "";
      if (part.type === "data-control") {
        setUpdates((all) => ({ ...all, controls: { ...all.controls, [partId]: part.data } }));
      }
      if (part.type === "data-approval") {
        setUpdates((all) => ({ ...all, approvals: { ...all.approvals, [partId]: part.data } }));
      }
    },
  });
  const { sendMessage, setMessages } = chat;
  const isBusy = chat.status === "submitted" || chat.status === "streaming";
  const busy = useRef(false);
  busy.current = isBusy;

  const missed = useRef(false);
  const reload = useCallback(async () => {
    missed.current = busy.current;
    if (missed.current) return;
    const found = await findThread(id).catch(() => undefined);
    missed.current = busy.current;
    if (!found || missed.current) return;
    setMessages([...found.messages]);
    setStatus(found.status);
    setUpdates(NONE);
  }, [id, setMessages]);
  useOtherTabs(id, isBusy, reload);
  useEffect(() => {
    if (!isBusy && missed.current) void reload();
  }, [isBusy, reload]);

  const act = useCallback(
    (text: string, input: TurnInput) => {
      if (busy.current) return;
      busy.current = true;
      void sendMessage({ text }, { body: { input } });
    },
    [sendMessage],
  );
  const hasFailed = chat.status === "error";
  return { messages: chat.messages, updates, status, isBusy, hasFailed, act };
}

/** Keeps a page up to date with what other tabs, and the time in the background, have changed. */
function useOtherTabs(id: string, isBusy: boolean, reload: () => Promise<void>): void {
  const channel = useRef<BroadcastChannel>(undefined);
  useEffect(() => {
    const opened = new BroadcastChannel("bank-chatbot");
    channel.current = opened;
    opened.onmessage = ({ data }) => void (data === id && reload());
    const refresh = () => void (document.visibilityState === "visible" && reload());
    const restore = ({ persisted }: PageTransitionEvent) => void (persisted && reload());
    document.addEventListener("visibilitychange", refresh);
    addEventListener("pageshow", restore);
    return () => {
      opened.close();
      document.removeEventListener("visibilitychange", refresh);
      removeEventListener("pageshow", restore);
    };
  }, [id, reload]);

  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy) channel.current?.postMessage(id);
    wasBusy.current = isBusy;
  }, [id, isBusy]);
}
