import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** Where `bundle-programs.ts` puts them. */
export const PROGRAMS_FOLDER = join(root, "tests/.cache/programs");

/** What tests start again and again: paths from the root. */
export const BUNDLED = ["server.ts", "instrument.server.ts"] as const;

export type BundledProgram = (typeof BUNDLED)[number];

/** Its bundle when the run has made one (`bundle-programs.ts`), else its source: an absolute path either way. */
export function findProgram(name: BundledProgram): string {
  const folder = process.env.TEST_PROGRAMS;
  return folder ? join(folder, name.replace(/\.ts$/, ".js")) : join(root, name);
}
