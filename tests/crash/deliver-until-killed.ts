import { randomBytes } from "node:crypto";
import { flushCompileCache } from "node:module";
import { createDeliverJob } from "../../app/jobs/deliver.ts";
import { createEscalateJob } from "../../app/jobs/escalate.ts";
import { createNotifyJob, NOTIFICATIONS_READER } from "../../app/jobs/notify.ts";
import { ALERTS_READER } from "../../app/jobs/route-alerts.ts";
import { startJobRunner } from "../../app/jobs/runner.ts";
import { systemClock } from "../../app/jobs/system-clock.ts";
import type { Log } from "../../app/log.server.ts";
import { createSendMessage } from "../../app/notifications/send-message.server.ts";
import { createSendMail } from "../../app/notifications/send-note.server.ts";
import { openSqliteState } from "../../app/stores/sqlite/open-sqlite-state.ts";
import { apply, EVERYTHING, occurrence } from "../../app/stores/state/contract/fixture.ts";
import { createAlertsWithoutEvents } from "../support/alerts-without-events.ts";

// Run by delivery-kill.test.ts as a process of its own: applies batches of new issues as fast as it can, and tells of them, until
// it is killed. With `drain`, it applies nothing, and ends once everything is told. The clock of the jobs is quicker: slow enough that
// no message is given up before the last kill (21 hours), and quick enough that pauses do not hold up the end.

const [path = "", smtpUrl = "", startedAt = "", mode = ""] = process.argv.slice(2);
const speed = mode === "drain" ? 20_000 : 200;
const now = () => Number(startedAt) + (Date.now() - Number(startedAt)) * speed;
const JOURNAL = "00112233445566aa";
/** The journal gives records again that were applied before the kill. */
const READ_AGAIN = 5;

// The next process need not compile again: one that is killed leaves nothing by itself.
flushCompileCache();
const state = await openSqliteState({ path });
await state.outbox.addReader(NOTIFICATIONS_READER);
await state.outbox.addReader(ALERTS_READER);
await state.jobs.releaseLeases(null);
const quiet = { debug() {}, info() {}, warn() {}, error: console.error } as unknown as Log;
const createKey = () => randomBytes(16).toString("hex");
const mail = { url: smtpUrl, from: "errors@example.com" };
/** Says that a message leaves, before it does. */
function saying<Input extends unknown[], Result>(send: (...input: Input) => Result) {
  return (...input: Input) => {
    process.stdout.write("sending\n");
    return send(...input);
  };
}
const parts = { state, isMailSetUp: true, now, createKey };
const untold = async () => Promise.reject(new Error("no rule of this test asks for an event"));
const jobs = [
  createNotifyJob(parts),
  createAlertsWithoutEvents(parts),
  createEscalateJob({ ...parts, events: { getEvent: untold }, payloads: { readEvent: untold } }),
  createDeliverJob({
    state,
    send: saying(createSendMessage({ mail, allowsPrivate: true, now })),
    sendMail: saying(createSendMail(mail)),
    sendPush: () => Promise.reject(new Error("nobody has a browser")),
    createKey,
    findBaseUrl: async () => null,
    now,
    log: quiet,
    onSent: () => {},
  }),
];
const runner = startJobRunner({
  jobs: jobs.map((job) => ({ ...job, everyMs: 5 })),
  store: state.jobs,
  owner: String(process.pid),
  clock: systemClock,
  log: quiet,
  onRun: () => {},
});

if (mode === "drain") {
  for (;;) {
    const { entries } = await state.outbox.countOutbox();
    const { waiting } = await state.deliveries.countDeliveries();
    const steps = await state.alertPeriodWork.listDue({ now: Number.MAX_SAFE_INTEGER, after: null, limit: 1 });
    if (entries + waiting + steps.length === 0) break;
    await new Promise((done) => setTimeout(done, 20));
  }
  await runner.close({ withinMs: 5_000 });
  await state.close();
} else {
  const projectIds = (await state.projects.listProjects(EVERYTHING)).map(({ id }) => id);
  for (let from = Math.max(0, (await state.batches.appliedSequence(JOURNAL)) - READ_AGAIN); ; from += 7) {
    const sequences = Array.from({ length: 7 }, (_, index) => from + index);
    await apply(
      state,
      sequences.map((sequence) =>
        occurrence(sequence, `issue-${sequence}`, { projectId: projectIds[sequence % projectIds.length] ?? 0 }),
      ),
    );
    process.stdout.write(`${from + 7}\n`);
    await new Promise((done) => setTimeout(done, 10));
  }
}
