/**
 * Replaces the clock of all hosts that this process creates from now on. `now` is called each time it is read. Returns a function
 * that brings the real one back. In a test, `setClock` does that.
 */
export function replaceClock(now: () => number): () => void {
  const clock = { timeOrigin: 0, now };
  for (const [name, value] of Object.entries(clock))
    Object.defineProperty(performance, name, { value, configurable: true, writable: true });
  return () => {
    // The real ones are members of the prototype.
    for (const name of Object.keys(clock)) Reflect.deleteProperty(performance, name);
  };
}
