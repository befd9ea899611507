import { MessageChannel, Worker } from "node:worker_threads";
import type { LiveFeed } from "../domain/live-message.ts";
import type { Journal, JournalLog } from "../journal/journal.ts";
import type { SymbolicatorOwner } from "../symbolicate/open-symbolicator.ts";
import { type BatchReport, DEFAULT_DIGEST_LIMITS, type DigestLimits } from "./digest-loop.ts";
import type { DigestThreadData, FromDigestThread, ToDigestThread } from "./digest-thread.ts";
import { type DigestEventStore, serveEventStore } from "./event-store-port.ts";
import { createLivePublisher } from "./live-publisher.ts";
import { createPendingEvents, type PendingEvents } from "./pending-events.ts";
import { createRateMeter } from "./rate-meter.ts";

export interface DigestOptions {
  /** In the order in which they are digested: records of the first one go before those of the others. */
  journals: readonly DigestedJournal[];
  /** The folder for records that cannot be digested. */
  setAsideDir: string;
  /** URL of a module with `openDigestStores` (see `DigestStoresModule`): the digest thread opens its own stores. */
  storesModule: string;
  storesOptions: unknown;
  /** The event store is that of this thread: one instance must own its files. */
  events: DigestEventStore;
  feed: Pick<LiveFeed, "publish">;
  /** Absent: events are stored as they came. */
  symbolicator?: Pick<SymbolicatorOwner, "addClient">;
  log: JournalLog;
  /** See `DigestThreadData`; one unless told otherwise. */
  mapThreads?: number;
  limits?: Partial<DigestLimits>;
  /** Heap of the digest thread, and of each map thread: one that needs more ends, and is started again. 1,024 unless told otherwise. */
  heapMb?: number;
  /** The wait before a dead thread is started again, in milliseconds. It doubles each time until a batch is stored. */
  minRestartMs?: number;
  onBatch?: (report: BatchReport) => void;
}

export interface DigestedJournal {
  journal: Pick<Journal, "id" | "firstSequence" | "durable" | "onDurable" | "release" | "stats">;
  dir: string;
  /** Every store has the records below when this is opened. The thread knows it, too, but starts later. */
  applied: number;
}

export interface DigestStats {
  backlogRecords: number;
  backlogBytes: number;
  /** Over the last minute. */
  recordsPerSecond: number;
  batchCount: number;
  recordCount: number;
  duplicateCount: number;
  /** The number of records in the set-aside folder. */
  setAsideCount: number;
  /** The number of times that the thread died and was started again. */
  restartCount: number;
}

export interface Digest {
  /** Call it for each accepted event, with the sequence of its record in its journal: the event is pending until it is stored. */
  accepted(eventId: string, sequence: number, projectId: number): void;
  /**
   * Whether an accepted event of one of the projects still waits for its digest. While records of an earlier process wait, the answer is
   * true for every id, because their ids are unknown until they are read.
   */
  isPending(eventId: string, projectIds: readonly number[]): boolean;
  /** The same, but only for events that `accepted` was called for. */
  hasAccepted(eventId: string, projectIds: readonly number[]): boolean;
  stats(): DigestStats;
  /** Resolves when the thread answers. @throws when it does not for some seconds */
  ping(): Promise<void>;
  /** The thread appends payloads to new files from now on. @throws when it does not answer for some seconds */
  seal(): Promise<void>;
  /** Finishes the batch that is begun; the rest waits in the journal. */
  close(): Promise<void>;
}

/** After this time the thread is stopped. The next thread repeats the work that it had begun. Milliseconds. */
const CLOSE_TIMEOUT_MS = 7_000;
/** Milliseconds. The journal syncs up to several times per millisecond; the thread gets one message for all of them. */
const DURABLE_INTERVAL_MS = 5;
const DEFAULT_MIN_RESTART_MS = 500;
const MAX_RESTART_MS = 30_000;
const WATCH_INTERVAL_MS = 10_000;
/** A thread that has not answered for this long hangs. A batch yields every few milliseconds, its largest record takes seconds. */
const MAX_SILENCE_MS = 120_000;
const PING_TIMEOUT_MS = 5_000;
/** A batch takes some tens of megabytes, the largest JSON that is parsed a few hundred. */
const DEFAULT_HEAP_MB = 1024;

/** Starts the digest thread, and starts it again whenever it dies. */
export function openDigest(options: DigestOptions): Digest {
  return new ThreadedDigest(options);
}

/** The position up to which a journal is digested. */
interface JournalProgress extends DigestedJournal {
  pending: PendingEvents;
  /** Ids of records below are not known: an earlier process accepted them. */
  readonly untrackedBelow: number;
}

class ThreadedDigest implements Digest {
  readonly #options: DigestOptions;
  readonly #journals: readonly JournalProgress[];
  readonly #publisher;
  readonly #meter = createRateMeter();
  readonly #stopListening: ReadonlyArray<() => void>;
  readonly #watchTimer: NodeJS.Timeout;

  #worker: Worker | null = null;
  #ended: Promise<void> = Promise.resolve();
  #isClosing = false;
  #restartTimer: NodeJS.Timeout | null = null;
  readonly #minRestartMs: number;
  #restartMs: number;
  #durableTimer: NodeJS.Timeout | null = null;
  #isDurableNews = false;
  #heardAt = 0;
  #nextPing = 0;
  readonly #pings = new Map<number, () => void>();
  #stats = { batchCount: 0, recordCount: 0, duplicateCount: 0, setAsideCount: 0, restartCount: 0 };

  constructor(options: DigestOptions) {
    this.#options = options;
    this.#minRestartMs = options.minRestartMs ?? DEFAULT_MIN_RESTART_MS;
    this.#restartMs = this.#minRestartMs;
    this.#publisher = createLivePublisher(options.feed);
    this.#journals = options.journals.map(({ journal, dir, applied }) => ({
      journal,
      dir,
      pending: createPendingEvents(),
      applied,
      untrackedBelow: journal.durable.sequence,
    }));
    this.#stopListening = options.journals.map(({ journal }) => journal.onDurable(() => this.#tellDurable()));
    this.#watchTimer = setInterval(() => this.#watch(), WATCH_INTERVAL_MS).unref();
    this.#start();
  }

  accepted(eventId: string, sequence: number, projectId: number): void {
    const own = this.#journals.findLast(({ journal }) => sequence >= journal.firstSequence);
    own?.pending.add(eventId, sequence, projectId);
  }

  isPending(eventId: string, projectIds: readonly number[]): boolean {
    return (
      this.#journals.some(({ applied, untrackedBelow }) => applied < untrackedBelow) ||
      this.hasAccepted(eventId, projectIds)
    );
  }

  hasAccepted(eventId: string, projectIds: readonly number[]): boolean {
    return this.#journals.some(({ pending }) => projectIds.includes(pending.findProject(eventId) ?? -1));
  }

  stats(): DigestStats {
    const waiting = this.#journals.map(({ journal }) => journal.stats());
    return {
      ...this.#stats,
      backlogRecords: waiting.reduce((sum, { backlogRecords }) => sum + backlogRecords, 0),
      backlogBytes: waiting.reduce((sum, { backlogBytes }) => sum + backlogBytes, 0),
      recordsPerSecond: this.#meter.perSecond(),
    };
  }

  ping(): Promise<void> {
    return this.#ask("ping");
  }

  seal(): Promise<void> {
    return this.#ask("seal");
  }

  #ask(kind: "ping" | "seal"): Promise<void> {
    return new Promise((resolve, reject) => {
      const id = this.#nextPing++;
      const timer = setTimeout(() => {
        this.#pings.delete(id);
        reject(new Error("the digest thread does not answer"));
      }, PING_TIMEOUT_MS).unref();
      this.#pings.set(id, () => {
        clearTimeout(timer);
        resolve();
      });
      this.#send({ kind, id });
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    for (const stop of this.#stopListening) stop();
    clearInterval(this.#watchTimer);
    if (this.#restartTimer !== null) clearTimeout(this.#restartTimer);
    if (this.#durableTimer !== null) clearTimeout(this.#durableTimer);
    this.#send({ kind: "close" });
    const timer = setTimeout(() => {
      this.#options.log.warn({ timeoutMs: CLOSE_TIMEOUT_MS }, "the digest thread does not end: it is stopped");
      void this.#worker?.terminate();
    }, CLOSE_TIMEOUT_MS);
    await this.#ended;
    clearTimeout(timer);
    this.#publisher.close();
  }

  #start(): void {
    const { setAsideDir, storesModule, storesOptions, events, symbolicator, limits } = this.#options;
    const { mapThreads = 1, heapMb = DEFAULT_HEAP_MB } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: heapMb };
    const channel = new MessageChannel();
    serveEventStore(channel.port1, events);
    const workerData: DigestThreadData = {
      journals: this.#journals.map(({ journal: { id, firstSequence }, dir }) => ({
        journalId: id,
        journalDir: dir,
        firstSequence,
      })),
      setAsideDir,
      storesModule,
      storesOptions,
      eventPort: channel.port2,
      durable: this.#readDurable(),
      mapThreads,
      resourceLimits,
      limits: { ...DEFAULT_DIGEST_LIMITS, ...limits },
      hasSymbolicator: symbolicator !== undefined,
    };
    const worker = new Worker(new URL("./digest-worker.ts", import.meta.url), {
      name: "digest",
      workerData,
      transferList: [channel.port2],
      resourceLimits,
      // The process's own flags start what this thread has no use for, its monitoring above all.
      execArgv: [],
    });
    this.#worker = worker;
    const removeClients = Array.from({ length: mapThreads }, (_, mapThread) =>
      symbolicator?.addClient((port) =>
        worker.postMessage({ kind: "symbolicator", mapThread, port } satisfies ToDigestThread, [port]),
      ),
    );
    this.#heardAt = performance.now();
    worker.on("message", (message: FromDigestThread) => this.#receive(message));
    worker.on("error", (error) => this.#options.log.error({ err: error }, "the digest thread failed"));
    this.#ended = new Promise((resolve) => {
      worker.once("exit", (code) => {
        channel.port1.close();
        for (const remove of removeClients) remove?.();
        this.#worker = null;
        if (!this.#isClosing) this.#restart(code);
        resolve();
      });
    });
  }

  #restart(code: number): void {
    this.#stats.restartCount++;
    this.#options.log.error({ code, restartMs: this.#restartMs }, "the digest thread died; it is started again");
    this.#restartTimer = setTimeout(() => this.#start(), this.#restartMs);
    this.#restartMs = Math.min(MAX_RESTART_MS, this.#restartMs * 2);
  }

  #receive(message: FromDigestThread): void {
    this.#heardAt = performance.now();
    switch (message.kind) {
      case "started":
        this.#stats.setAsideCount = message.setAsideCount;
        for (const { journalId, upTo } of message.positions) this.#advance(journalId, upTo);
        break;
      case "batch":
        this.#takeReport(message.report);
        break;
      case "pong":
        this.#pings.get(message.id)?.();
        this.#pings.delete(message.id);
        break;
      case "log":
        this.#options.log[message.level](message.facts, message.message);
        break;
    }
  }

  #takeReport(report: BatchReport): void {
    this.#restartMs = this.#minRestartMs;
    this.#stats.batchCount++;
    this.#stats.recordCount += report.records;
    this.#stats.duplicateCount += report.duplicates;
    this.#stats.setAsideCount = report.setAsideCount;
    this.#meter.add(report.records);
    this.#advance(report.journalId, report.upTo);
    this.#publisher.changed(report.changes);
    for (const { projectId, issueId, eventId } of report.firstEvents)
      this.#publisher.firstEvent({ projectId, issueId, eventId });
    this.#options.onBatch?.(report);
  }

  #advance(journalId: string, applied: number): void {
    const own = this.#journals.find(({ journal }) => journal.id === journalId);
    if (!own) return;
    own.applied = Math.max(own.applied, applied);
    own.pending.advance(applied);
    own.journal.release(applied).catch((error: unknown) => {
      this.#options.log.error({ err: error }, "applied segments of the journal could not be released");
    });
  }

  #tellDurable(): void {
    if (this.#durableTimer !== null) {
      this.#isDurableNews = true;
      return;
    }
    this.#send({ kind: "durable", sequences: this.#readDurable() });
    this.#durableTimer = setTimeout(() => {
      this.#durableTimer = null;
      if (this.#isDurableNews) {
        this.#isDurableNews = false;
        this.#tellDurable();
      }
    }, DURABLE_INTERVAL_MS);
  }

  #readDurable(): number[] {
    return this.#journals.map(({ journal }) => journal.durable.sequence);
  }

  #watch(): void {
    if (this.#worker === null) return;
    if (performance.now() - this.#heardAt > MAX_SILENCE_MS) {
      this.#options.log.error({ silentMs: MAX_SILENCE_MS }, "the digest thread hangs: it is stopped");
      void this.#worker.terminate();
      return;
    }
    this.#send({ kind: "ping", id: this.#nextPing++ });
  }

  #send(message: ToDigestThread): void {
    this.#worker?.postMessage(message);
  }
}
