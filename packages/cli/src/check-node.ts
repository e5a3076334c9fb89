/** The oldest Node that the command and the parser of its options run on; `package.json` says the same. */
const OLDEST = [22, 12] as const;

/** Says what is wrong with a version of Node, in one sentence. Undefined if the command runs on it. */
export function checkNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return `toolrail needs Node ${OLDEST.join(".")} or newer, and this is Node ${version}.`;
}
