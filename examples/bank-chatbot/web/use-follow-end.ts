import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** So near to the end a reader is still at it. */
const NEAR_PX = 48;

/** What stays free below the end. */
const GAP_PX = 20;

/** Keeps the end of the log in view, unless the customer has scrolled back to read. */
export function useFollowEnd(log: RefObject<HTMLElement | null>, isBusy: boolean): void {
  const isAtEnd = useRef(true);
  const wasBusy = useRef(false);

  useEffect(() => {
    const look = () => {
      if (log.current) isAtEnd.current = hiddenPx(log.current) < NEAR_PX;
    };
    // Scroll events do not bubble: on a wide screen the log scrolls, on a narrow one the page.
    document.addEventListener("scroll", look, { capture: true, passive: true });
    return () => document.removeEventListener("scroll", look, { capture: true });
  }, [log]);

  // After every change, and before anything can scroll in between.
  useLayoutEffect(() => {
    const hasActed = isBusy && !wasBusy.current;
    wasBusy.current = isBusy;
    isAtEnd.current ||= hasActed;
    if (!log.current || !isAtEnd.current) return;
    log.current.scrollBy({ top: hiddenPx(log.current) });
    scrollBy({ top: Math.max(0, hiddenPx(log.current)) });
  });
}

/** How much of the log's end, and of the space below it, is out of sight or behind what follows it. */
function hiddenPx(log: HTMLElement): number {
  const end = log.lastElementChild?.getBoundingClientRect().bottom ?? 0;
  const below = log.nextElementSibling?.getBoundingClientRect().top ?? innerHeight;
  return end + GAP_PX - Math.min(below, innerHeight);
}
