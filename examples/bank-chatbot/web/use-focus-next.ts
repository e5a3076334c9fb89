import { type RefObject, useEffect, useRef } from "react";

const LAST_CONTROL = ".messages > li:last-child [data-control]";

/**
 * Puts the focus where the customer goes on, since what was pressed is gone: into a field that waits, on
 * the question where there are buttons to choose from – a second press of Enter must not confirm
 * anything – or back to the message. It leaves a customer alone who is busy elsewhere.
 */
export function useFocusNext(log: RefObject<HTMLElement | null>, isBusy: boolean): void {
  const wasBusy = useRef<boolean>(undefined);
  const answered = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const isFirst = wasBusy.current === undefined;
    const hasEnded = wasBusy.current === true && !isBusy;
    wasBusy.current = isBusy;
    if (isBusy) answered.current = document.activeElement?.closest(".control") ?? null;
    if ((!isFirst && !hasEnded) || !log.current || !isFree(log.current)) return;
    // A value that was refused may be corrected where it stands, if it still stands there.
    const isRefused = answered.current?.matches("[role=log] [data-control]");
    const refused = isRefused ? answered.current : undefined;
    const control = log.current.querySelector<HTMLElement>(LAST_CONTROL) ?? refused;
    const field = control?.querySelector("input");
    const next = isFirst ? field : (field ?? control ?? messageField());
    next?.focus({ preventScroll: true });
  }, [log, isBusy]);
}

/** True where the focus is lost, in the log, or in a message of which nothing is written. */
function isFree(log: HTMLElement): boolean {
  const { activeElement } = document;
  if (activeElement === messageField()) return messageField()?.value === "";
  return activeElement === document.body || log.contains(activeElement);
}

/** Where the customer writes, or starts anew after the end. */
function messageField(): HTMLTextAreaElement | HTMLButtonElement | null {
  return document.querySelector("#message");
}
