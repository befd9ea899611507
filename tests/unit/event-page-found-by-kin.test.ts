import { expect, test } from "vitest";
import { commitBatch } from "../../app/digest/commit-batch.ts";
import { digestRecords } from "../../app/digest/digest-records.ts";
import { toMappedBatch } from "../../app/digest/mapped-batch.ts";
import { getEventPage } from "../../app/features/events/get-event-page.server.ts";
import { BUILT_IN_RULES } from "../../app/scrub/scrub-rules.ts";
import { mapStoredEvent } from "../../app/server/map-stored-event.ts";
import { createDuckdbEventDatabase } from "../../app/stores/duckdb/fixtures/duckdb-event-database.ts";
import { openEventPayloads } from "../../app/stores/event-payloads.ts";
import { projects } from "../../app/stores/event-store-contract/fixture.ts";
import { createPayloadFileFolder } from "../../app/stores/files/payload-file-folder.ts";
import { createSqliteStateDatabase } from "../../app/stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING } from "../../app/stores/state/contract/fixture.ts";
import { SymbolicatorClient } from "../../app/symbolicate/symbolicator-client.ts";
import { BROWSERS_RECORDED_AT, toBrowserRecord } from "../support/browser-record.ts";
import { BROWSERS } from "../support/grouping-fixtures.ts";
import { testWorkspace } from "../support/test-workspace.ts";

test("the page of an event knows whether it is in its issue for what another browser had left", async () => {
  await using stateDatabase = await createSqliteStateDatabase();
  await using eventDatabase = await createDuckdbEventDatabase();
  await using payloadFolder = await createPayloadFileFolder();
  const state = await stateDatabase.connect();
  const events = await eventDatabase.open();
  const payloads = await payloadFolder.open();

  const records = BROWSERS.map((browser, sequence) => toBrowserRecord(browser, "tail-call", sequence));
  const { changes } = await commitBatch({ state, events, payloads }, toMappedBatch(digestRecords(records)), {
    journalId: "browsers",
    upTo: records.length,
    applied: { state: 0, events: 0 },
  });
  const issue = await state.issues.getIssue(EVERYTHING, changes[0]?.issueId ?? 0);
  if (issue === null) throw new Error("no issue was made");
  const range = { from: BROWSERS_RECORDED_AT - 1, to: null };
  // Without uploads there is nothing that it could answer.
  const symbolicator = new SymbolicatorClient();
  symbolicator.close();
  const pages = await Promise.all(
    changes.map(({ eventId }) =>
      getEventPage(
        testWorkspace({
          state,
          events,
          payloads: { ...openEventPayloads(payloads), isEventDamaged: async () => false },
          symbolicate: (stored, options) =>
            mapStoredEvent(symbolicator, stored, { ...options, rules: null, scrubRules: BUILT_IN_RULES }),
        }),
        { issue, filter: { projectIds: projects(issue.projectId), issueId: issue.id, ...range }, eventId },
      ),
    ),
  );
  expect(pages.map((page) => page?.isFoundByAlias)).toEqual([false, false, true]);
});
