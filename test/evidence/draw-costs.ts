// Draws what carrying data costs a model: npm run evidence:figure. The figures are those of the commands in costs.json.
import { readFileSync, writeFileSync } from "node:fs";

interface Case {
  readonly title: string;
  readonly about: string;
  readonly command: string;
  readonly tokens: Readonly<Record<string, number>>;
}

const WIDTH = 720;
const LEFT = 170;
const BAR = 18;
const FILLS = ["#9aa0a6", "#1a73e8", "#34a853"];

/** The bars of all cases as an SVG, each case on a scale of its own: its longest bar is what is relayed. */
export function drawCosts(cases: readonly Case[]): string {
  let y = 12;
  const parts = cases.flatMap(({ title, about, command, tokens }) => {
    const ways = Object.entries(tokens);
    const most = Math.max(...ways.map(([, count]) => count));
    const head = [text({ x: 12, y: y + 14, size: 15, bold: true }, title)];
    head.push(text({ x: 12, y: y + 32, size: 12 }, `${about} · ${command}`));
    y += 42;
    const bars = ways.flatMap(([way, count], index) => {
      const length = Math.max(2, (count / most) * (WIDTH - LEFT - 190));
      const top = y;
      y += BAR + 6;
      const share = index === 0 ? "" : `, ${(most / count).toFixed(1)}x fewer`;
      return [
        text({ x: LEFT - 8, y: top + 13, size: 12, anchor: "end" }, way),
        `<rect x="${LEFT}" y="${top}" width="${length.toFixed(1)}" height="${BAR}" fill="${FILLS[index]}"/>`,
        text(
          { x: LEFT + length + 6, y: top + 13, size: 12 },
          `${count.toLocaleString("en")} tokens${share}`,
        ),
      ];
    });
    y += 12;
    return [...head, ...bars];
  });
  const size = `width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}"`;
  const title = "<title>Tokens that a model reads and writes, with and without Toolrail</title>";
  const ground = `<rect width="100%" height="100%" fill="#ffffff"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" fill="#202124">\n${[title, ground, ...parts].join("\n")}\n</svg>\n`;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly bold?: boolean;
  readonly anchor?: "end";
}

function text({ x, y, size, bold, anchor }: Place, words: string): string {
  const weight = bold ? ' font-weight="bold"' : "";
  const end = anchor ? ` text-anchor="${anchor}"` : "";
  const escaped = words.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y}" font-size="${size}"${weight}${end}>${escaped}</text>`;
}

export function readCosts(): readonly Case[] {
  return JSON.parse(readFileSync(new URL("costs.json", import.meta.url), "utf8"));
}

if (import.meta.main) {
  writeFileSync(new URL("../../docs/costs.svg", import.meta.url), drawCosts(readCosts()));
}
