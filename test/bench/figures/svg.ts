export interface Look {
  readonly size?: number;
  readonly bold?: boolean;
  readonly anchor?: "middle" | "end";
  readonly fill?: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function text({ x, y }: Point, words: string, look: Look = {}): string {
  const { size = 12, bold, anchor, fill } = look;
  const styles = [
    bold ? ' font-weight="bold"' : "",
    anchor ? ` text-anchor="${anchor}"` : "",
    fill ? ` fill="${fill}"` : "",
  ].join("");
  const escaped = words.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return `<text x="${at(x)}" y="${at(y)}" font-size="${size}"${styles}>${escaped}</text>`;
}

export function line(from: Point, to: Point, stroke: string, width = 1): string {
  return `<line x1="${at(from.x)}" y1="${at(from.y)}" x2="${at(to.x)}" y2="${at(to.y)}" stroke="${stroke}" stroke-width="${width}"/>`;
}

export function path(points: readonly Point[], stroke: string): string {
  const places = points.map(({ x, y }) => `${at(x)},${at(y)}`).join(" ");
  return `<polyline points="${places}" fill="none" stroke="${stroke}" stroke-width="2"/>`;
}

export function dot({ x, y }: Point, fill: string): string {
  return `<circle cx="${at(x)}" cy="${at(y)}" r="3.5" fill="${fill}"/>`;
}

/** A picture on a white ground, so that it reads alike on light and dark pages. */
export function picture(
  title: string,
  [width, height]: [number, number],
  parts: readonly string[],
) {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" fill="#202124">`,
    `<title>${title}</title>`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...parts,
    "</svg>\n",
  ].join("\n");
}

function at(value: number): string {
  return String(Number(value.toFixed(1)));
}
