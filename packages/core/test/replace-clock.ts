/**
 * Replaces the clock of all hosts that this process creates from now on. `now` is called each time it is read. In a test, `setClock`
 * also brings the real one back.
 */
export function replaceClock(now: () => number): void {
  for (const [name, value] of Object.entries({ timeOrigin: 0, now }))
    Object.defineProperty(performance, name, { value, configurable: true, writable: true });
}

export function restoreClock(): void {
  // The real ones are members of the prototype.
  for (const name of ["timeOrigin", "now"]) Reflect.deleteProperty(performance, name);
}
