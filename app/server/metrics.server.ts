import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { BuildVersion } from "../domain/build-version.ts";
import type { RebuildProgress } from "../domain/rebuild-progress.ts";
import type { StorageState } from "../domain/storage/storage-state.ts";
import type { ClosedAtLimit } from "./http-server.server.ts";

export interface DiskUse {
  /** Bytes in the data folder, by the names of its parts. */
  partBytes: ReadonlyMap<string, number>;
  freeBytes: number;
  sizeBytes: number;
}

/** The values that are asked for when somebody reads the metrics, and only then. */
export interface MetricSources {
  /** The number of open connections. */
  connections(): number;
  backlog(): { records: number; bytes: number; oldestWaitsSince: number | null };
  /** Bytes of the data folder by part, and of its disk. */
  disk(): Promise<DiskUse | null>;
  /** Null until the folder was measured. */
  storage(): StorageState | null;
  /** How often the digest thread died and was started again, and how many items are in the folder of items that were set aside. */
  digest(): { restarts: number; setAside: number };
  rebuild(): RebuildProgress | null;
  /** Issues that wait in the background pass of source maps, and events that the pass has looked at. */
  sourceMapPass(): { waitingIssues: number; doneEvents: number };
  /** Check-ins that could make no monitor, or no environment of one, because there were too many. */
  monitorOverflows(): Promise<number>;
  /** Events whose environments found no room in their projects. */
  environmentOverflows(): Promise<number>;
  /** Messages that wait or were given up, and entries of the outbox that are kept or were lost. */
  queues(): Promise<{ waiting: number; failing: number; dead: number; entries: number; lost: number }>;
}

/** The metrics of the process for operators, as Prometheus text. */
export interface Metrics {
  accepted(items: number): void;
  refused(reason: string, items: number): void;
  stored(category: string, items: number): void;
  ingestAnswered(durationMs: number): void;
  pageAnswered(durationMs: number): void;
  /** Notes a batch. Its duration is from reading its records to the commit. */
  digested(batch: { records: number; durationMs: number }): void;
  jobRan(run: { name: string; durationMs: number; isFailed: boolean; endedAt: number }): void;
  /** The last run before this process. */
  jobHadRun(run: { name: string; durationMs: number; endedAt: number }): void;
  connectionClosedAtLimit(reason: ClosedAtLimit): void;
  messageSent(sent: { channel: string; result: "delivered" | "failed" | "dead" }): void;
  /** Sets where values come from. Those without a source say that nothing waits and nothing went wrong. */
  watch(sources: Partial<MetricSources>): void;
  render(): Promise<string>;
  readonly contentType: string;
}

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const DIGEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics({ version, commit }: BuildVersion): Metrics {
  const registers = [new Registry()];
  const registry = registers[0] as Registry;
  const sources: MetricSources = {
    connections: () => 0,
    backlog: () => ({ records: 0, bytes: 0, oldestWaitsSince: null }),
    disk: async () => null,
    storage: () => null,
    digest: () => ({ restarts: 0, setAside: 0 }),
    rebuild: () => null,
    sourceMapPass: () => ({ waitingIssues: 0, doneEvents: 0 }),
    monitorOverflows: async () => 0,
    environmentOverflows: async () => 0,
    queues: async () => ({ waiting: 0, failing: 0, dead: 0, entries: 0, lost: 0 }),
  };

  new Gauge({
    name: "culprit_build_info",
    help: "Always 1; its labels tell which version runs, and from which commit.",
    labelNames: ["version", "commit"],
    registers,
  }).set({ version, commit }, 1);
  const accepted = counter("culprit_items_accepted_total", "Envelope items that are safe in the journal.");
  const refused = counter(
    "culprit_items_refused_total",
    "Items, or whole requests whose items nobody knows, that were turned away.",
    ["reason"],
  );
  const stored = counter("culprit_items_stored_total", "Items that the digest has put into the stores.", ["category"]);
  const ingest = histogram(
    "culprit_ingest_request_duration_seconds",
    "From the first byte of an SDK's request to its answer.",
    REQUEST_SECONDS,
  );
  const pages = histogram(
    "culprit_page_request_duration_seconds",
    "From the first byte of a page's request to the last of its answer, live streams left out.",
    REQUEST_SECONDS,
  );
  const batches = histogram(
    "culprit_digest_batch_duration_seconds",
    "From reading the records of a batch to its commit in every store.",
    DIGEST_SECONDS,
  );
  const records = counter("culprit_digest_records_total", "Journal records that every store has applied.");
  const jobRuns = counter("culprit_job_runs_total", "Runs of background jobs, failed ones included.", ["job"]);
  const jobFailures = counter("culprit_job_failures_total", "Runs of background jobs that failed.", ["job"]);
  const jobSucceededAt = labelledGauge(
    "culprit_job_last_success_timestamp_seconds",
    "End of the last run of a background job that did not fail, in seconds since 1970.",
    ["job"],
  );
  const jobSeconds = labelledGauge(
    "culprit_job_last_duration_seconds",
    "Duration of the last run of a background job.",
    ["job"],
  );
  const closedAtLimit = counter(
    "culprit_connections_closed_at_limit_total",
    "Connections that were closed to make room for others (idle), or not taken (over-limit), because of MAX_CONNECTIONS.",
    ["reason"],
  );
  gauge("culprit_connections", "Connections that are open.", () => sources.connections());
  const messages = counter(
    "culprit_messages_total",
    "Attempts to send a message about issues; failed ones are tried again, dead ones are not.",
    ["channel", "result"],
  );
  gauge("culprit_messages_waiting", "Messages that wait to be sent.", async () => (await sources.queues()).waiting);
  gauge(
    "culprit_messages_failing",
    "Of those that wait, messages that failed at least three times.",
    async () => (await sources.queues()).failing,
  );
  gauge(
    "culprit_messages_dead",
    "Messages that were given up and are still kept.",
    async () => (await sources.queues()).dead,
  );
  gauge(
    "culprit_outbox_entries",
    "What happened to issues and some reader has not read.",
    async () => (await sources.queues()).entries,
  );
  gauge(
    "culprit_outbox_lost_entries",
    "The same, deleted because a reader did not come.",
    async () => (await sources.queues()).lost,
  );
  gauge(
    "culprit_journal_backlog_records",
    "Accepted records that some store has not applied yet.",
    () => sources.backlog().records,
  );
  gauge("culprit_journal_backlog_bytes", "Bytes of those records.", () => sources.backlog().bytes);
  gauge("culprit_journal_oldest_record_age_seconds", "Time that the oldest of those records has waited.", () => {
    const { oldestWaitsSince } = sources.backlog();
    return oldestWaitsSince === null ? 0 : Math.max(0, (Date.now() - oldestWaitsSince) / 1000);
  });
  new Counter({
    name: "culprit_digest_restarts_total",
    help: "How often the digest thread has died, as of a lack of memory, and was started again.",
    registers,
    collect() {
      this.reset();
      this.inc(sources.digest().restarts);
    },
  });
  gauge(
    "culprit_set_aside_records",
    "Records that could not be digested and lie in journal/set-aside.",
    () => sources.digest().setAside,
  );
  const diskFree = labelledGauge(
    "culprit_disk_free_bytes",
    "Bytes that may still be written on the disk of the data folder.",
  );
  const diskSize = labelledGauge("culprit_disk_size_bytes", "Bytes of the disk of the data folder.");
  new Gauge({
    name: "culprit_data_folder_bytes",
    help: "Bytes that lie in the data folder, by part; measured at most once a minute.",
    labelNames: ["part"],
    registers,
    async collect() {
      const use = await sources.disk();
      if (use === null) return;
      const { partBytes, freeBytes, sizeBytes } = use;
      diskFree.set(freeBytes);
      diskSize.set(sizeBytes);
      this.reset();
      for (const [part, bytes] of partBytes) this.set({ part }, bytes);
    },
  });
  // Has no value until the folder was measured.
  const plan = (read: (state: StorageState) => number) => () => {
    const state = sources.storage();
    return state === null ? Number.NaN : read(state);
  };
  gauge(
    "culprit_data_folder_limit_bytes",
    "Size of the data folder at which nothing new is accepted. Before that, the oldest days are deleted.",
    plan((state) => state.plan.limitBytes),
  );
  gauge(
    "culprit_data_folder_growth_bytes",
    "Bytes that the data folder grows a day, by what came in the last seven days.",
    plan((state) => state.plan.growthBytes),
  );
  gauge(
    "culprit_data_folder_full_timestamp_seconds",
    "When the data folder would be full if no day was deleted before its retention is over, in seconds since 1970; +Inf: never.",
    plan(({ plan: { fullAt } }) => (fullAt === null ? Number.POSITIVE_INFINITY : fullAt / 1000)),
  );
  gauge(
    "culprit_data_folder_early_deletions",
    "Days of a signal that will be deleted within two weeks, before their retention is over, because the data folder would be full.",
    plan((state) => state.plan.upcoming.filter(({ reason }) => reason === "space").length),
  );
  gauge(
    "culprit_event_store_rebuild_share",
    "How much of the payload files has been restored to rebuild a lost event store, from 0 to 1; 1 where nothing is to be rebuilt.",
    () => {
      const progress = sources.rebuild();
      if (progress === null) return 1;
      return progress.step === "restoring" ? progress.share : 0;
    },
  );
  gauge(
    "culprit_source_map_pass_waiting_issues",
    "Issues whose stored events a new upload may map, and that were not looked at yet.",
    () => sources.sourceMapPass().waitingIssues,
  );
  gauge(
    "culprit_source_map_pass_events",
    "Stored events that were looked at in this run over them, or in the last one.",
    () => sources.sourceMapPass().doneEvents,
  );
  gauge(
    "culprit_monitor_overflow_check_ins",
    "Check-ins that made no monitor, or no environment of one, because their project has too many; stored all the same.",
    () => sources.monitorOverflows(),
  );
  gauge(
    "culprit_environment_overflow_events",
    "Events of environments that their project keeps no more apart, because it has too many; stored all the same.",
    () => sources.environmentOverflows(),
  );
  gauge("process_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  gauge("nodejs_heap_used_bytes", "Heap that the main thread uses.", () => process.memoryUsage().heapUsed);
  gauge("nodejs_external_memory_bytes", "Memory of buffers outside the heap.", () => process.memoryUsage().external);
  gauge("process_start_time_seconds", "Start of the process since 1970.", () => Date.now() / 1000 - process.uptime());
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time, user and system together.",
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });

  function counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers });
  }

  function histogram(name: string, help: string, buckets: number[]): Histogram {
    return new Histogram({ name, help, buckets, registers });
  }

  function labelledGauge<Label extends string>(name: string, help: string, labelNames: Label[] = []): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers });
  }

  function gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  }

  return {
    accepted: (items) => accepted.inc(items),
    refused: (reason, items) => refused.inc({ reason }, items),
    stored: (category, items) => stored.inc({ category }, items),
    ingestAnswered: (durationMs) => ingest.observe(durationMs / 1000),
    pageAnswered: (durationMs) => pages.observe(durationMs / 1000),
    digested(batch) {
      batches.observe(batch.durationMs / 1000);
      records.inc(batch.records);
    },
    jobRan({ name, durationMs, isFailed, endedAt }) {
      jobRuns.inc({ job: name });
      jobFailures.inc({ job: name }, isFailed ? 1 : 0);
      if (!isFailed) jobSucceededAt.set({ job: name }, endedAt / 1000);
      jobSeconds.set({ job: name }, durationMs / 1000);
    },
    jobHadRun({ name, durationMs, endedAt }) {
      jobSucceededAt.set({ job: name }, endedAt / 1000);
      jobSeconds.set({ job: name }, durationMs / 1000);
    },
    connectionClosedAtLimit: (reason) => closedAtLimit.inc({ reason }),
    messageSent: (labels) => messages.inc(labels),
    watch(given) {
      Object.assign(sources, given);
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
