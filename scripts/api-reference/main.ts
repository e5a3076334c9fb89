// Writes the API reference to dist/api. Fails if an export has no docstring, or a docstring links to nothing.
import { join } from "node:path";
import { makePages } from "./make-pages.ts";

if (!(await makePages(join(import.meta.dirname, "../../dist/api")))) process.exitCode = 1;
