"use client";

import type { PendingCall } from "@toolrail/core";
import { useEffect, useId, useRef, useState } from "react";

/** As long as a second click that was meant for something else may take. */
const DOUBLE_CLICK_MS = 700;

/** A call of an app that waits for the user. */
export interface Question {
  readonly pending: PendingCall;
  readonly onAnswer: (approved: boolean) => void;
}

/** Asks the user in a dialog that covers the page, so that no app can move it or press its buttons. */
export function Approval({ question: { pending, onAnswer } }: { readonly question: Question }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    const timer = setTimeout(setReady, DOUBLE_CLICK_MS, true);
    return () => clearTimeout(timer);
  }, []);
  const { server, tool, reason } = pending;
  return (
    <dialog
      ref={dialog}
      aria-labelledby={title}
      onCancel={() => onAnswer(false)}
      style={{ borderRadius: "0.5rem", maxWidth: "24rem", padding: "1rem" }}
    >
      <p id={title} style={{ marginTop: 0 }}>
        The app of {server} asks for <strong>{tool}</strong>
        {reason && `: ${reason}`}.
      </p>
      <pre style={{ overflow: "auto" }}>{JSON.stringify(pending.arguments, null, 2)}</pre>
      <button type="button" onClick={() => onAnswer(false)}>
        Refuse
      </button>{" "}
      <button type="button" disabled={!isReady} onClick={() => onAnswer(true)}>
        Approve
      </button>
    </dialog>
  );
}
