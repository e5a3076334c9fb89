/** Waits, without keeping the process alive. */
export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer: { unref?: () => void } = setTimeout(resolve, ms);
    timer.unref?.();
  });
}
