import { z } from "zod";

/** The key of the request `_meta` in which the application names the conversation. */
export const THREAD_META_KEY = "toolrail.example/thread";

const threadContext = z.object({
  threadId: z.string().min(1).max(100),
  /** True asks the bank to identify the customer in this conversation before anything else. */
  signIn: z.boolean().default(false),
});

export type ThreadContext = Readonly<z.infer<typeof threadContext>>;

/** The conversation of this request; undefined where the application names none. Throws where it
 * names one in a form that cannot be read. */
export function threadOf({
  _meta: meta,
}: {
  readonly _meta?: Record<string, unknown>;
}): ThreadContext | undefined {
  const context = meta?.[THREAD_META_KEY];
  if (context === undefined) return undefined;
  const parsed = threadContext.safeParse(context);
  if (parsed.success) return parsed.data;
  throw new Error(`_meta["${THREAD_META_KEY}"] must be { "threadId": "...", "signIn"?: boolean }.`);
}
