import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that goes with the test, and stays while servers are started on it one after the other. */
export function makeTempFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "culprit-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
