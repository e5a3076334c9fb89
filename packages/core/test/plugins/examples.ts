// The plugins of docs/plugins.md as they are compiled and run; test/readme holds the two together.
import type { CallToolResult, Plugin, Use } from "@toolrail/core";

export function rateLimit(most: number): Use {
  return ({ now }) => {
    const times = new Map<string, number[]>();
    return {
      name: "rate-limit",
      async wrapCall(call, next) {
        const key = JSON.stringify([call.conversation, call.tool.id]);
        const recent = (times.get(key) ?? []).filter((time) => time > now() - 60_000);
        if (recent.length >= most) {
          const text = `${call.tool.id} was called ${most} times this minute: wait.`;
          return { isError: true, content: [{ type: "text", text }] };
        }
        times.set(key, [...recent, now()]);
        return next(call);
      },
    };
  };
}

export function redact(pattern: RegExp): Plugin {
  const clean = <Value>(value: Value): Value =>
    JSON.parse(
      JSON.stringify(value, (_, part) =>
        typeof part === "string" ? part.replaceAll(pattern, "▇▇▇") : part,
      ),
    );
  return {
    name: "redact",
    async wrapCall(call, next) {
      const { content, structuredContent, ...rest } = await next(call);
      return {
        ...rest,
        content: clean(content),
        ...(structuredContent !== undefined && { structuredContent: clean(structuredContent) }),
      };
    },
  };
}

export function cache(ttlMs: number): Use {
  return ({ now }) => {
    const kept = new Map<string, { readonly result: CallToolResult; readonly untilMs: number }>();
    return {
      name: "cache",
      async wrapCall(call, next) {
        if (call.tool.annotations?.readOnlyHint !== true) return next(call);
        const key = JSON.stringify([call.conversation, call.tool.id, call.arguments]);
        const known = kept.get(key);
        if (known && known.untilMs > now()) return known.result;
        const result = await next(call);
        if (!result.isError) kept.set(key, { result, untilMs: now() + ttlMs });
        return result;
      },
    };
  };
}
