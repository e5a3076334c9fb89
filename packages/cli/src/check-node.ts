/** The oldest Node that the command and its parser of options run on, as in `package.json`. */
const OLDEST = [22, 12] as const;

/** Checks a version of Node. Returns one sentence about the problem, or `undefined` if the command runs on it. */
export function checkNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return `toolrail needs Node ${OLDEST.join(".")} or newer, and this is Node ${version}.`;
}
