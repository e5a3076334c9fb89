import { posix } from "node:path";
import { expect, it } from "vitest";
import { readGuide } from "../../scripts/next-chat/read-guide.ts";

const { files, packages } = readGuide();

it.each(Object.entries(files))(
  "The file %s imports other files of the page, and packages that it installs.",
  (path, code) => {
    const named = [...code.matchAll(/ from "([^"]+)";$/gm)].map(([, from = ""]) => from);
    const [own, others] = [/^\./, /^[^.]/].map((kind) => named.filter((from) => kind.test(from)));
    const paths = own?.map((from) => `${posix.join(posix.dirname(path), from)}.ts`) ?? [];
    expect(Object.keys(files)).toEqual(expect.arrayContaining(paths));
    const roots = others?.map((from) => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0]) ?? [];
    expect(packages).toEqual(expect.arrayContaining(roots));
  },
);
