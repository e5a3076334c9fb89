/** Tells a listener of something that was done, and waits for it. What it throws is dropped. */
export async function notify<Event>(
  listener: ((event: Event) => void | PromiseLike<void>) | undefined,
  event: Event,
): Promise<void> {
  try {
    await listener?.(event);
  } catch {
    // The call was made: it must not look as if it had failed, since a model would repeat it.
  }
}
