import { describe, expect, it } from "vitest";
import { BUDGETS } from "./budgets.ts";
import { GROUPS } from "./groups/all.ts";
import * as names from "./names.ts";
import { isOver, missedBudgets, type Row, rowsOf } from "./row.ts";
import { toMarkdown, toTable } from "./table.ts";

const { CHECKPOINT, LANGGRAPH, LANGGRAPH_PEER, LISTS } = names;
const PLACE = { group: CHECKPOINT, at: "100 KB", unit: "x" } as const;
const budget = BUDGETS[CHECKPOINT]?.["100 KB"]?.[LANGGRAPH] ?? Number.NaN;
const ofLangGraph = (value: number) => rowsOf(PLACE, { [LANGGRAPH]: value });

/** A row for each budget, as far from it as this. */
const all = (share: number): Row[] =>
  Object.entries(BUDGETS).flatMap(([group, places]) =>
    Object.entries(places).flatMap(([at, names]) =>
      Object.entries(names).flatMap(([who, most]) =>
        rowsOf({ group, at, unit: "x" }, { [who]: most * share }),
      ),
    ),
  );

describe("a budget", () => {
  it("stands in the row that it is for, and in no other.", () => {
    expect(ofLangGraph(1)).toEqual([{ ...PLACE, who: LANGGRAPH, value: 1, budget }]);
    expect(rowsOf({ ...PLACE, at: "1 KB" }, { [LANGGRAPH]: 1 })[0]).not.toHaveProperty("budget");
  });

  it("is kept if the figure is as great, and missed if it is greater or no number.", () => {
    expect(
      [budget, budget + 0.01, Number.NaN].map((value) => ofLangGraph(value).some(isOver)),
    ).toEqual([false, true, true]);
  });

  it("is of a group that has a name, as all have that are measured.", () => {
    const named = Object.values<object | string>(names).flatMap((name) => {
      return typeof name === "string" ? name : Object.values<string>(name as never);
    });
    expect(named).toEqual(expect.arrayContaining(Object.keys(BUDGETS)));
    expect(named).toEqual(expect.arrayContaining(Object.keys(GROUPS)));
  });

  it("fails a run that exceeds it, and one that has not measured it.", () => {
    expect(missedBudgets(all(1))).toEqual([]);
    expect(missedBudgets(all(1.01))).toHaveLength(all(1).length);
    const without = all(1).filter(({ group }) => group !== LISTS);
    expect(missedBudgets(without)).toContain(`${LISTS}, 1,000 tools: host was not measured.`);
  });
});

describe("the table", () => {
  const rows = [
    ...rowsOf(PLACE, { [LANGGRAPH]: { value: 1.2345, low: 1.1, high: 1.4 } }),
    ...rowsOf({ ...PLACE, at: "1 KB" }, { [LANGGRAPH]: 4 }),
  ];

  it("shows what was measured with three digits, its spread, its budget and the verdict.", () => {
    expect(toTable(rows)).toMatch(/100 KB: tool of LangGraph +1\.23x +1\.1 to 1\.4 +2\.05x +ok/);
    expect(toTable(rows)).toMatch(/1 KB: tool of LangGraph +4x$/);
  });

  it("holds in Markdown what has a budget and stands on the page.", () => {
    const group = names.OVER_PEER.memory;
    const onPage = [
      ...rowsOf(
        { group, at: "100 KB", unit: "x" },
        { [LANGGRAPH_PEER]: { value: 1.2345, low: 1.1, high: 1.4 } },
      ),
      ...rowsOf({ group, at: "7 KB", unit: "x" }, { [LANGGRAPH_PEER]: 4 }),
    ];
    expect(toMarkdown(rows)).toBe("");
    expect(toMarkdown([...rows, ...onPage]).split("\n")).toHaveLength(3);
    expect(toMarkdown(onPage)).toMatch(
      /\| 100 KB: LangGraph over \S+ +\| 1\.23x +\| 1\.1 to 1\.4 +\| 1\.2x, OVER \|/,
    );
  });
});
