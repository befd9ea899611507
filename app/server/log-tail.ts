import { Worker } from "node:worker_threads";
import type { DigestEventStore } from "../digest/event-store-port.ts";
import { MIB } from "../domain/bytes.ts";
import { maxPositions, type NumberedJournal, type Positions } from "../domain/journal-positions.ts";
import type { LogTail, TailNews } from "../domain/logs/log-tail.ts";
import { LOG_ROWS } from "../stores/events/log-table.ts";
import { bytesOf, readNumbers } from "../stores/events/rows.ts";
import type { FromTailThread, ToTailThread } from "./log-tail-worker.ts";
import type { TailedBatch } from "./log-tailer.ts";

const MAX_READERS = 64;
/** The most readers of one person: each tab has one. */
const MAX_READERS_EACH = 8;
/** Rows that may wait for the thread. Beyond it they are counted and not looked at. */
const MAX_WAITING_BYTES = 32 * MIB;
/** The thread takes 15 MB, and 100 ms to start. */
const IDLE_MS = 10_000;

interface Reader {
  owner: string;
  asking: PromiseWithResolvers<TailNews | null> | null;
}

export interface LogTailThread extends LogTail {
  /** The event store, whose new lines readers hear of. */
  watch(events: DigestEventStore): DigestEventStore;
  hasThread(): boolean;
  /** Ends the readers and the thread. */
  close(): Promise<void>;
}

/**
 * New log lines for people who watch them. A thread of its own looks through them, so that neither searches nor floods of lines keep the
 * main thread. It starts with the first reader, and ends when there has been none for `idleMs`. `applied`: how far the store is.
 */
export function createLogTail(
  { journals, applied }: { journals: readonly [NumberedJournal, ...NumberedJournal[]]; applied: Positions },
  log: { error(facts: object, message: string): void },
  { idleMs = IDLE_MS, maxWaitingBytes = MAX_WAITING_BYTES } = {},
): LogTailThread {
  const readers = new Map<number, Reader>();
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let position = applied;
  let waitingBytes = 0;
  let nextId = 0;

  const post = (message: ToTailThread) => worker?.postMessage(message);

  function start(): Worker {
    const started = new Worker(new URL("./log-tail-worker.ts", import.meta.url), {
      name: "log-tail",
      // The process's own flags start what this thread has no use for, its monitoring above all.
      execArgv: [],
    });
    started.unref();
    waitingBytes = 0;
    started.on("message", (message: FromTailThread) => {
      if (message.kind === "taken") {
        waitingBytes -= message.bytes;
        return;
      }
      const reader = readers.get(message.id);
      const asking = reader?.asking;
      if (reader) reader.asking = null;
      asking?.resolve(message.news);
    });
    started.on("error", (error) => {
      log.error({ err: error }, "the thread of the live tail failed");
      if (worker !== started) return;
      worker = null;
      endReaders();
    });
    return started;
  }

  async function end(): Promise<void> {
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  function endReaders(): void {
    const ended = [...readers.values()];
    readers.clear();
    for (const { asking } of ended) asking?.resolve(null);
  }

  function take(batch: TailedBatch): void {
    position = maxPositions(position, batch.upTo);
    if (readers.size === 0) return;
    const bytes = batch.rows === null ? 0 : bytesOf(batch.rows);
    if (batch.rows !== null && waitingBytes + bytes > maxWaitingBytes) {
      const counts = new Map<number, number>();
      for (const id of readNumbers(batch.rows, "project_id")) counts.set(id, (counts.get(id) ?? 0) + 1);
      post({ kind: "skipped", upTo: batch.upTo, counts });
      return;
    }
    waitingBytes += bytes;
    post({ kind: "batch", batch, bytes });
  }

  return {
    journalId: journals[0].id,
    position: () => position,
    hasThread: () => worker !== null,
    open(request, owner) {
      const ofOwner = [...readers.values()].filter((reader) => reader.owner === owner).length;
      if (readers.size >= MAX_READERS || ofOwner >= MAX_READERS_EACH) return null;
      clearTimeout(idleTimer);
      worker ??= start();
      const id = nextId++;
      const reader: Reader = { owner, asking: null };
      readers.set(id, reader);
      const from = position;
      post({ kind: "open", id, request, from });
      return {
        from,
        next() {
          if (!readers.has(id)) return Promise.resolve(null);
          reader.asking ??= Promise.withResolvers();
          post({ kind: "ask", id });
          return reader.asking.promise;
        },
        close() {
          if (!readers.delete(id)) return;
          reader.asking?.resolve(null);
          post({ kind: "close", id });
          if (readers.size === 0) idleTimer = setTimeout(() => void end(), idleMs).unref();
        },
      };
    },
    watch: (events) => ({
      ...events,
      async append(batch, logged) {
        const before = await events.appliedSequence(batch.journalId);
        const result = await events.append(batch, logged);
        const rows = batch.rows.find(({ table }) => table === LOG_ROWS.name) ?? null;
        const upTo = journals.map(({ id }, at) => (id === batch.journalId ? batch.upTo : (position[at] ?? 0)));
        take({ upTo, rows, applied: before, leftOut: batch.leftOut });
        return result;
      },
    }),
    async close() {
      clearTimeout(idleTimer);
      endReaders();
      await end();
    },
  };
}
