import type { IncomingMessage } from "node:http";
import { z } from "zod";

/** A request that the server does not carry out, with the HTTP status that says why. */
export class RefusedRequest extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const MAX_BODY_BYTES = 65_536;

/** Reads a small JSON document. Throws `RefusedRequest` for anything else. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? "")) {
    throw new RefusedRequest(415, "Send application/json.");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new RefusedRequest(413, "The body is too large.");
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new RefusedRequest(400, "The body is not JSON.");
  }
}

const id = z.string().min(1).max(100);

const turnInput = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().trim().min(1).max(4000) }),
  z.strictObject({ type: z.literal("control"), id, value: z.string().max(1000) }),
  z.strictObject({ type: z.literal("approval"), id, approved: z.boolean() }),
  z.strictObject({ type: z.literal("take-back") }),
]);

const turnBody = z.strictObject({ messageId: id, input: turnInput });
const threadBody = z.strictObject({ mode: z.enum(["ai-sdk", "langgraph", "guard"]) });

export const parseTurnBody = (body: unknown): z.infer<typeof turnBody> => parse(turnBody, body);
export const parseThreadBody = (body: unknown): z.infer<typeof threadBody> =>
  parse(threadBody, body);

function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new RefusedRequest(400, "The body has the wrong form.");
}
