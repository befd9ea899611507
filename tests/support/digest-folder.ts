import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DigestThreadStores } from "../../app/digest/digest-thread.ts";
import type { Journal, JournalLog } from "../../app/journal/journal.ts";
import { encodeJournalEntry } from "../../app/journal/journal-entry.ts";
import { openJournals } from "../../app/journal/journals.ts";
import { openDigestStores } from "../../app/server/open-digest-stores.ts";
import { writeEmptyEventDatabase } from "../../app/stores/duckdb/fixtures/duckdb-event-database.ts";
import { openDuckdbEventStore } from "../../app/stores/duckdb/open-duckdb-event-store.ts";
import { projects } from "../../app/stores/event-store-contract/fixture.ts";
import type { EventRow } from "../../app/stores/events/error-events.ts";
import type { EventStore } from "../../app/stores/events/event-store.ts";
import { writeEmptyStateDatabase } from "../../app/stores/sqlite/sqlite-state-database.ts";
import { EVERYTHING, scopeOf } from "../../app/stores/state/contract/fixture.ts";

/** A data folder with a journal and real stores, for one project; it goes with the test. */
export interface DigestFolder extends AsyncDisposable {
  paths: { journal: string; state: string; payloads: string; setAside: string };
  /** What people wait for, and bulk. */
  journal: Journal;
  bulk: Journal;
  stores: DigestThreadStores;
  events: EventStore;
  projectId: number;
  log: JournalLog;
  /** Messages of warnings and errors. */
  logged: string[];
  /** Appends an envelope with one error event; gives its id. */
  appendError(options?: ErrorOptions): Promise<string>;
  appendEnvelope(body: string, eventId: string | null, to?: Pick<Journal, "append">): Promise<number>;
  /** Appends a transaction to the journal of bulk; gives its body. */
  appendTransaction(eventId: string): Promise<string>;
  /** What the stores say there is, in the words of the ledger: `error accepted ` → 3. */
  ledger(): Promise<Record<string, number>>;
  /** Events by the title of their issue, as the state store counted them. */
  issueCounts(): Promise<Record<string, number>>;
  /** Events by issue, as state counted them, and in the event store. */
  countsByIssue(): Promise<{ counted: Record<number, number>; stored: Record<number, number> }>;
  /** Ids in the event store. */
  eventIds(): Promise<string[]>;
}

export interface ErrorOptions {
  eventId?: string;
  /** Decides the issue. */
  type?: string;
  value?: string;
}

/** With `dir`, of an earlier process too: what is in it stays, there and afterwards. */
export async function openDigestFolder({ dir: keptDir }: { dir?: string } = {}): Promise<DigestFolder> {
  const dir = keptDir ?? mkdtempSync(join(tmpdir(), "culprit-digest-"));
  const paths = {
    journal: join(dir, "journal"),
    state: join(dir, "state.sqlite"),
    payloads: join(dir, "payloads"),
    setAside: join(dir, "set-aside"),
  };
  const logged: string[] = [];
  const log: JournalLog = {
    info: () => {},
    warn: (_facts, message) => void logged.push(message),
    error: (_facts, message) => void logged.push(message),
  };
  const eventsPath = join(dir, "events.duckdb");
  if (keptDir === undefined) {
    await writeEmptyStateDatabase(paths.state);
    await writeEmptyEventDatabase(eventsPath);
  }
  const stores = await openDigestStores({ statePath: paths.state, payloadDir: paths.payloads });
  const { state } = stores;
  const setUp = await state.people.setUp({
    organization: { slug: "default", name: "Default" },
    owner: { email: "ada@example.com", name: "Ada", passwordHash: "x" },
    project: { slug: "shop", name: "Shop", platform: "node" },
    at: Date.now(),
  });
  const project = setUp.ok
    ? setUp.project
    : keptDir === undefined
      ? null
      : await state.projects.getProjectBySlug(EVERYTHING, "shop");
  if (project === null) throw new Error("the stores were not new");
  const projectId = project.id;
  const events = await openDuckdbEventStore({
    path: eventsPath,
    tempDir: join(dir, "tmp"),
    memoryLimitMb: 64,
    threads: 1,
  });
  const { express: journal, bulk } = await openJournals({ dir: paths.journal, log, segmentBytes: 20_000 });
  let eventCount = 0;

  async function appendEnvelope(
    body: string,
    eventId: string | null,
    to: Pick<Journal, "append"> = journal,
  ): Promise<number> {
    return to.append(
      encodeJournalEntry({
        kind: "envelope",
        projectId,
        keyId: 1,
        receivedAt: Date.now(),
        eventId,
        clientAddress: "127.0.0.1",
        userAgent: "sentry.test/1.0",
        client: "sentry.test/1.0",
        dropped: [],
        body: Buffer.from(body),
      }),
    );
  }

  async function listIssues() {
    const range = { from: null, to: null };
    const page = { sort: "last_seen", cursor: null, limit: 100 } as const;
    return (await state.issues.listIssues(EVERYTHING, { ...range, ...page })).issues;
  }

  async function listEvents() {
    const filter = { projectIds: projects(projectId), from: null, to: null };
    const listed: EventRow[] = [];
    let cursor: string | null = null;
    do {
      const page = await events.listEvents(filter, { cursor, limit: 100 });
      listed.push(...page.events);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return listed;
  }

  return {
    paths,
    journal,
    bulk,
    stores,
    events,
    projectId,
    log,
    logged,
    appendEnvelope,
    async appendError(options = {}) {
      const eventId = options.eventId ?? `e${(++eventCount).toString(16).padStart(31, "0")}`;
      const exception = { type: options.type ?? "TypeError", value: options.value ?? "x is undefined" };
      const event = { timestamp: Date.now() / 1000, platform: "node", exception: { values: [exception] } };
      await appendEnvelope(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`, eventId);
      return eventId;
    },
    async appendTransaction(eventId) {
      const now = Date.now() / 1000;
      const trace = { trace_id: eventId, span_id: eventId.slice(-16), op: "http.server" };
      const times = { start_timestamp: now - 1, timestamp: now };
      const payload = { type: "transaction", transaction: "GET /", ...times, contexts: { trace } };
      const body = `{"event_id":"${eventId}"}\n{"type":"transaction"}\n${JSON.stringify(payload)}\n`;
      await appendEnvelope(body, eventId, bulk);
      return body;
    },
    async ledger() {
      const hourMs = 3_600_000;
      const sums = await state.outcomes.sumOutcomes(scopeOf(projectId), {
        from: Date.now() - 2 * hourMs,
        to: Date.now() + 2 * hourMs,
        bucketMs: null,
        groupBy: ["category", "outcome", "reason"],
      });
      return Object.fromEntries(
        sums.map(({ category, outcome, reason, quantity }) => [`${category} ${outcome} ${reason}`.trim(), quantity]),
      );
    },
    async issueCounts() {
      return Object.fromEntries((await listIssues()).map(({ title, eventCount: count }) => [title, count]));
    },
    async countsByIssue() {
      const counted = Object.fromEntries((await listIssues()).map(({ id, eventCount: count }) => [id, count]));
      const stored: Record<number, number> = {};
      for (const { issueId } of await listEvents()) stored[issueId] = (stored[issueId] ?? 0) + 1;
      return { counted, stored };
    },
    async eventIds() {
      return (await listEvents()).map(({ eventId }) => eventId).sort();
    },
    async [Symbol.asyncDispose]() {
      await journal.close();
      await bulk.close();
      await events.close();
      await stores.payloads.close();
      await state.close();
      if (keptDir === undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}
