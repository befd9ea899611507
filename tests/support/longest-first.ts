import { relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest, in this order: one that begins last would run alone while the other workers have nothing to do.
 * What is not here takes less than 20 seconds.
 */
const LONGEST = [
  "tests/sdk/other-languages.test.ts",
  "app/stores/duckdb/open-duckdb-event-store.test.ts",
  "tests/server/deletions.test.ts",
  "tests/crash/backup-kill.test.ts",
  "tests/server/source-maps.test.ts",
  "tests/server/dev.test.ts",
  "tests/tools/bundler-plugins.test.ts",
  "app/data-folder/claim-data-folder.server.test.ts",
  "tests/server/backup.test.ts",
  "tests/server/uploads.test.ts",
  "tests/crash/server-kill.test.ts",
  "tests/server/data-folder.test.ts",
  "tests/server/sign-in.test.ts",
  "tests/tools/react-router-app.test.ts",
  "app/stores/sqlite/open-sqlite-state.test.ts",
  "tests/server/configuration.test.ts",
  "app/digest/digest-loop.test.ts",
  "app/digest/open-digest.test.ts",
  "tests/server/platform.test.ts",
  "tests/crash/server-full-disk.test.ts",
  "tests/server/limited-viewer.test.ts",
  "tests/server/account-commands.test.ts",
  "tests/crash/delivery-kill.test.ts",
  "tests/tools/packed-release.test.ts",
  "tests/server/stopping.test.ts",
  "tests/server/samples.test.ts",
  "tests/fuzz/ingest-http.test.ts",
  "tests/fuzz/bombs-memory.test.ts",
  "tests/tools/set-up-snippets.test.ts",
  "app/stores/duckdb/crash.test.ts",
  "app/server/source-map-order.test.ts",
  "tests/server/api-tokens.test.ts",
  "tests/crash/rebuild-kill.test.ts",
  "tests/server/upgrade.test.ts",
  "tests/server/read-your-write.test.ts",
  "tests/server/storage.test.ts",
  "tests/crash/memory-death.test.ts",
  "tests/sdk/browser.test.ts",
  "tests/tools/sentry-cli-commands.test.ts",
  "app/normalize/fuzz.test.ts",
  "app/digest/map-at-digest.test.ts",
  "tests/server/notifications.test.ts",
  "app/stores/duckdb/issue-facts.test.ts",
  "app/jobs/reprocessing/reprocessing.test.ts",
  "app/journal/open-journal.test.ts",
  "tests/server/deploy-files.test.ts",
];

/** The longest files first; at the end the short ones, which share a process (`isolate: false`). */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.indexOf(relative(root, moduleId).split(sep).join("/"));
      if (place !== -1) return place;
      return project.config.isolate ? LONGEST.length : LONGEST.length + 1;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
