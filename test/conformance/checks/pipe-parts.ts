export { echo, failing, say } from "../../../packages/core/test/pipe/pipe-scenario.ts";

export function group(id: string, ...parallel: object[]) {
  return { id, parallel };
}

export function nested(id: string, pipe: object) {
  return { id, pipe };
}
