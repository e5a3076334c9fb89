import { describe, expect, it } from "vitest";
import { flow } from "../src/flow/index.ts";
import { drawMermaid, parsePipe, runPipe } from "../src/index.ts";
import { echo, failing, openPipeHost } from "./pipe-scenario.ts";

const SPEC = {
  steps: [
    { id: "a", tool: "echo" },
    {
      id: "g",
      parallel: [
        { id: "x", tool: "echo" },
        {
          id: "n",
          pipe: {
            steps: [
              { id: "y", tool: "bad" },
              { id: "z", tool: "echo" },
            ],
          },
        },
      ],
    },
    { id: "end", tool: "echo" },
  ],
};

describe("a picture", () => {
  it("It shows conditions and loops.", async () => {
    const { host } = await openPipeHost({ echo });
    const steps = [
      { id: "a", tool: "echo" },
      { id: "b", tool: "echo", when: "steps.a.ok" },
      { id: "each", for_each: [1, 2], as: "n", do: { tool: "echo", args: { v: "${n}" } } },
      { id: "end", tool: "echo", args: { v: "${steps.each.items} ${steps.b.text}" } },
    ];
    const pipe = parsePipe(host, { flow: flow(), spec: { steps } });
    expect(drawMermaid(pipe)).toBe(`flowchart TD
  begin([start])
  n0["a<br/>web.echo"]
  n1["b<br/>web.echo<br/>when steps.a.ok"]
  subgraph n2 ["each, for each n"]
    n3["n<br/>web.echo"]
  end
  n4["end<br/>web.echo"]
  finish(["return"])
  begin --> n0
  n0 --> n1
  n1 --> n3
  n3 --> n4
  n4 --> finish
`);
    const run = drawMermaid(pipe, await runPipe(host, { flow: flow(), spec: pipe }));
    expect(run).toMatch(/"each, for each n, items: 2, \d+ ms"/);
    expect(run).toContain("class n0,n1,n2,n3,n4 done");
  });

  it("It shows a pipe without running it: groups and nested pipes as boxes.", async () => {
    const { host, web } = await openPipeHost({ echo, bad: failing("no") });
    expect(drawMermaid(parsePipe(host, { flow: flow(), spec: SPEC }))).toBe(`flowchart TD
  begin([start])
  n0["a<br/>web.echo"]
  subgraph n1 ["g, parallel"]
    n2["x<br/>web.echo"]
    subgraph n3 ["n, pipe"]
      n4["y<br/>web.bad"]
      n5["z<br/>web.echo"]
    end
  end
  n6["end<br/>web.echo"]
  finish(["return"])
  begin --> n0
  n0 --> n2
  n0 --> n4
  n4 --> n5
  n2 --> n6
  n5 --> n6
  n6 --> finish
`);
    expect(web.calls).toEqual([]);
  });

  it("It shows a run: what ran, for how long, what failed and what was not reached.", async () => {
    const { host } = await openPipeHost({ echo, bad: failing('no "luck"; <b>') });
    const pipe = parsePipe(host, { flow: flow(), spec: SPEC });
    const picture = drawMermaid(pipe, await runPipe(host, { flow: flow(), spec: pipe }));
    expect(picture).toMatch(/n0\["a<br\/>web\.echo<br\/>\d+ ms"\]/);
    expect(picture).toContain('no #34;luck#34;; #60;b#62;"]');
    expect(picture).toContain("class n0,n2 done");
    expect(picture).toContain("class n1,n3,n4 failed");
    expect(picture).toContain("class n5,n6 skipped");
  });

  it("It links nothing inside a box, which would draw the step before it there too.", async () => {
    const { host } = await openPipeHost({ echo, bad: failing("no") });
    const picture = drawMermaid(parsePipe(host, { flow: flow(), spec: SPEC }));
    expect(picture.lastIndexOf("end\n")).toBeLessThan(picture.indexOf("-->"));
  });

  it("Ids may be any text.", async () => {
    const { host } = await openPipeHost({ echo });
    const steps = ['a"]', "end", "x --> y", "%%", "日本"].map((id) => ({ id, tool: "echo" }));
    const picture = drawMermaid(parsePipe(host, { flow: flow(), spec: { steps } }));
    expect(picture).toContain('n0["a#34;#93;<br/>web.echo"]');
    expect(picture).toContain('n2["x --#62; y<br/>web.echo"]');
    expect(picture).toContain('n4["日本<br/>web.echo"]');
  });
});
