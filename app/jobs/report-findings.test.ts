import { join } from "node:path";
import { expect, test } from "vitest";
import { type DigestFolder, openDigestFolder } from "../../tests/support/digest-folder.ts";
import { AttemptLog } from "../digest/attempt-log.ts";
import { DEFAULT_DIGEST_LIMITS, DigestLoop } from "../digest/digest-loop.ts";
import { mapOnThisThread } from "../digest/map-stage.ts";
import { RuleBook } from "../digest/rules/rule-book.ts";
import { SetAsideFolder } from "../digest/set-aside-folder.ts";
import { NO_FILTERS } from "../domain/filters/filter-settings.ts";
import type { Trouble } from "../domain/findings/finding.ts";
import { CurrentRules } from "../grouping/rules/project-rules.ts";
import { EVERYTHING, query } from "../stores/state/contract/fixture.ts";
import type { FindingStore } from "../stores/state/finding-store.ts";
import { createReportFindingsJob } from "./report-findings.ts";

const READER = "reader";
const { signal } = new AbortController();

async function digest({ journal, events, stores, paths, log }: DigestFolder): Promise<void> {
  const loop = new DigestLoop({
    lanes: [
      {
        journalId: journal.id,
        journalDir: paths.journal,
        firstSequence: 0,
        attempts: new AttemptLog(join(paths.setAside, "attempt")),
      },
    ],
    stores: { state: stores.state, payloads: stores.payloads, events },
    mapStage: mapOnThisThread(undefined, undefined, {
      rules: new CurrentRules(stores.state.groupingRuleIndex),
      ruleBook: new RuleBook(stores.state.ruleIndex),
    }),
    isDataError: stores.isDataError,
    setAside: await SetAsideFolder.open(paths.setAside),
    limits: { ...DEFAULT_DIGEST_LIMITS, minIntervalMs: 0, minRetryMs: 1, maxRetryMs: 5 },
    log,
    onStart: () => {},
    onBatch(report) {
      if (report.upTo >= journal.durable.sequence) loop.close();
    },
  });
  loop.setDurable([journal.durable.sequence]);
  await loop.run();
}

function report({ stores, journal }: DigestFolder, change: Partial<FindingStore> = {}) {
  const { state } = stores;
  const findings = { ...state.findings, ...change };
  const parts = { findings, batches: state.batches, directory: state.directory };
  return createReportFindingsJob({
    state: parts,
    journal,
    feed: { publish: () => {} },
    onAccepted: () => {},
    now: Date.now,
  }).run(signal);
}

const trouble = (projectId: number, at: number): Trouble => ({
  kind: "trouble",
  projectId,
  subject: "cron 1 production",
  at,
  logger: "culprit.crons",
  level: "error",
  message: "nightly did not run",
  environment: "production",
  release: null,
  tags: { "monitor.slug": "nightly" },
  contexts: { monitor: { slug: "nightly" } },
});

const issuesOf = async ({ stores }: DigestFolder) =>
  (await stores.state.issues.listIssues(...query({ sort: "first_seen" }))).issues;

test("a trouble is one event, though the process dies after each step; its recovery resolves the issue", async () => {
  await using folder = await openDigestFolder();
  const { projectId } = folder;
  const { state } = folder.stores;
  await state.outbox.addReader(READER);
  const at = Date.now() - 60_000;
  await state.findings.addFindings([
    trouble(projectId, at),
    { kind: "recovery", projectId, subject: "cron 1 production", at: at + 1000, reason: "the job ran again" },
    trouble(projectId, at + 2000),
  ]);
  const dies = () => Promise.reject(new Error("the process dies"));
  // The event is in the journal, and the queue does not know.
  await expect(report(folder, { noteReported: dies })).rejects.toThrow("dies");
  await report(folder);
  expect(folder.journal.durable.sequence).toBe(2);
  // The recovery waits for the digest.
  expect(await state.findings.listFindings(10)).toEqual([]);
  expect(await report(folder)).toBe("idle");
  await digest(folder);
  const [issue] = await issuesOf(folder);
  expect(issue).toMatchObject({
    title: "nightly did not run",
    status: "unresolved",
    eventCount: 1,
    level: "error",
    logger: "culprit.crons",
  });
  expect(await folder.ledger()).toEqual({ "finding accepted": 1, "finding duplicate event_id_seen": 1 });

  await report(folder);
  expect((await issuesOf(folder))[0]).toMatchObject({ id: issue?.id, status: "resolved" });
  const [activity] = await state.issues.listActivity(EVERYTHING, issue?.id ?? 0);
  expect(activity).toMatchObject({
    kind: "resolved",
    user: null,
    at: at + 1000,
    data: { reason: "the job ran again" },
  });
  await digest(folder);
  expect((await issuesOf(folder)).map(({ id, status, eventCount }) => ({ id, status, eventCount }))).toEqual([
    { id: issue?.id, status: "unresolved", eventCount: 2 },
  ]);
  expect((await state.outbox.readOutbox(READER, 9)).map(({ transition }) => transition)).toEqual([
    "new",
    "resolved",
    "regressed",
  ]);
  expect(await report(folder)).toBe("worked");
  expect(await report(folder)).toBe("idle");
});

test("neither filters nor grouping rules of the project touch what Culprit says", async () => {
  await using folder = await openDigestFolder();
  const { projectId } = folder;
  const { state } = folder.stores;
  const filters = { ...NO_FILTERS, errorMessages: ["*did not run*", "*x is undefined*"] };
  expect(await state.rules.saveRules(EVERYTHING, projectId, "filters", filters)).toBe(true);
  const fingerprintRules = 'message:"*did not run*" -> another';
  expect(
    await state.groupingRules.saveRules(EVERYTHING, { projectId, userId: null, at: Date.now(), fingerprintRules }),
  ).toMatchObject({ ok: true });
  await folder.appendError();
  const at = Date.now() - 60_000;
  await state.findings.addFindings([trouble(projectId, at)]);
  await report(folder);
  await digest(folder);
  expect(await folder.ledger()).toMatchObject({ "finding accepted": 1, "error filtered error-message": 1 });
  await state.findings.addFindings([
    { kind: "recovery", projectId, subject: "cron 1 production", at: at + 1000, reason: "the job ran again" },
  ]);
  await report(folder);
  expect(await issuesOf(folder)).toMatchObject([{ status: "resolved" }]);
});

test("findings of a project that is gone are dropped", async () => {
  await using folder = await openDigestFolder();
  await folder.stores.state.findings.addFindings([trouble(99, Date.now())]);
  expect(await report(folder)).toBe("worked");
  expect(await report(folder)).toBe("idle");
  expect(folder.journal.durable.sequence).toBe(0);
});
