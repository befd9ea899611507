import { relative, sep } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest, in this order: one that begins last would run alone while the other workers have nothing to do.
 * What is not here takes less than 10 seconds.
 */
const LONGEST = [
  "app/stores/duckdb/open-duckdb-event-store.test.ts",
  "tests/crash/server-kill.test.ts",
  "tests/server/deletions.test.ts",
  "tests/sdk/other-languages.test.ts",
  "tests/server/silences.test.ts",
  "tests/server/source-maps.test.ts",
  "tests/server/limited-viewer.test.ts",
  "tests/server/samples.test.ts",
  "tests/server/sign-in.test.ts",
  "tests/tools/bundler-plugins.test.ts",
  "tests/server/damaged-days.test.ts",
  "tests/server/rebuild-command.test.ts",
  "tests/tools/packed-release.test.ts",
  "app/digest/digest-loop.test.ts",
  "tests/crash/backup-kill.test.ts",
  "tests/crash/delivery-kill.test.ts",
  "app/stores/duckdb/moved-days.contract.test.ts",
  "tests/server/api-tokens.test.ts",
  "app/data-folder/claim-data-folder.server.test.ts",
  "tests/server/backup.test.ts",
  "tests/server/dev.test.ts",
  "tests/crash/rebuild-kill.test.ts",
  "app/stores/sqlite/open-sqlite-state.test.ts",
  "app/digest/open-digest.test.ts",
  "tests/crash/move-days-kill.test.ts",
  "tests/server/stopping.test.ts",
  "tests/fuzz/bombs-memory.test.ts",
  "tests/server/platform.test.ts",
  "app/server/source-map-order.test.ts",
  "tests/server/data-folder.test.ts",
  "tests/fuzz/ingest-http.test.ts",
  "tests/server/account-commands.test.ts",
  "tests/server/configuration.test.ts",
  "tests/crash/server-full-disk.test.ts",
  "tests/server/upgrade.test.ts",
  "tests/server/uploads.test.ts",
  "app/stores/duckdb/crash.test.ts",
  "tests/tools/react-router-app.test.ts",
  "tests/server/rights.test.ts",
  "tests/server/alerts.test.ts",
  "tests/sdk/browser.test.ts",
  "tests/server/notifications.test.ts",
  "app/jobs/move-days.test.ts",
  "tests/server/storage.test.ts",
  "tests/server/volume.test.ts",
  "tests/server/read-your-write.test.ts",
  "tests/server/log-tail.test.ts",
  "tests/server/mishaps.test.ts",
  "tests/server/second-factor.test.ts",
  "app/server/http-server.server.test.ts",
  "tests/crash/signal-files-kill.test.ts",
  "tests/sdk/open-telemetry.test.ts",
  "app/features/auth/password-hasher.server.test.ts",
  "tests/tools/sentry-cli-source-maps.test.ts",
  "tests/tools/set-up-snippets.test.ts",
  "tests/tools/sentry-cli-commands.test.ts",
  "tests/server/issue-merges.test.ts",
  "tests/server/triage.test.ts",
  "tests/crash/memory-death.test.ts",
  "tests/server/api-stock-tools.test.ts",
  "tests/server/escalation.test.ts",
  "tests/server/metrics.test.ts",
  "tests/server/demo.test.ts",
  "tests/sdk/one-trace.test.ts",
];

/** The longest of the short files that share a process: what begins last then ends soon. They take 1.5 seconds of processor or more. */
const LONGEST_SHARED = new Set([
  "app/backup/upgrade-snapshot.server.test.ts",
  "app/digest/commit-batch.test.ts",
  "app/digest/digest-lanes.test.ts",
  "app/digest/map-at-digest.test.ts",
  "app/digest/map-threads.test.ts",
  "app/domain/monitors/watch-runs.test.ts",
  "app/features/auth/attempt-counter.test.ts",
  "app/features/auth/password.server.test.ts",
  "app/features/issues/change-listed-issues.server.test.ts",
  "app/features/passkeys/passkeys.server.test.ts",
  "app/features/releases/releases.server.test.ts",
  "app/ingest/unpack-large.test.ts",
  "app/jobs/log-old-rows.test.ts",
  "app/jobs/notifications.test.ts",
  "app/jobs/old-items/convert-old-items.test.ts",
  "app/jobs/rebuild/rebuild-events.test.ts",
  "app/jobs/reprocessing/reprocessing-order.test.ts",
  "app/jobs/reprocessing/reprocessing.test.ts",
  "app/journal/open-journal.test.ts",
  "app/normalize/fuzz.test.ts",
  "app/server/first-start.server.test.ts",
  "app/stores/duckdb/event-id-filter.test.ts",
  "app/stores/duckdb/hot-attributes.test.ts",
  "app/stores/duckdb/identity-index.test.ts",
  "app/stores/duckdb/issue-facts.test.ts",
  "app/stores/duckdb/long-texts.test.ts",
  "app/stores/duckdb/settle-events.test.ts",
  "app/stores/duckdb/traces-of-pieces.test.ts",
  "app/stores/files/open-payload-files.test.ts",
  "app/symbolicate/hostile-uploads.test.ts",
  "app/symbolicate/scan-function-scopes.test.ts",
  "tests/unit/bench-events.test.ts",
  "tests/unit/browsers-one-issue.test.ts",
]);

/** The longest files first; at the end the short ones, which share a process (`isolate: false`) with those of the same project. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = this.ctx.config.root;
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const file = relative(root, moduleId).split(sep).join("/");
      const place = LONGEST.indexOf(file);
      if (place !== -1) return place;
      if (project.config.isolate) return LONGEST.length;
      if (project.name !== "unit") return LONGEST.length + 1;
      return LONGEST.length + (LONGEST_SHARED.has(file) ? 2 : 3);
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
