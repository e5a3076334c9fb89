import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/nextjs.md"), "utf8");
const blocks = [...page.matchAll(/^```tsx?\n\/\/ (\S+)\n(.*?)^```/gms)];

it.each(blocks.map(([, file = "", code = ""]) => [file, code] as const))(
  "The page on Next.js shows %s as it is built and visited.",
  (file, code) => {
    const flat = (text: string) => text.replaceAll(/\s+/g, " ").trim();
    const source = readFileSync(join(ROOT, "examples/next-chat", file), "utf8");
    expect(flat(source)).toContain(flat(code));
  },
);

it("The page on Next.js shows the host, the routes and the page.", () => {
  expect(new Set(blocks.map(([, file]) => file))).toEqual(
    new Set([
      "lib/host.ts",
      "app/api/chat/route.ts",
      "app/page.tsx",
      "app/message-part.tsx",
      "app/api/app/route.ts",
    ]),
  );
});
