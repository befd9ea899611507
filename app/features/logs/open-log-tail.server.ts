import type { Workspace } from "../../access/workspace.ts";
import { type Positions, toRangesBetween } from "../../domain/journal-positions.ts";
import type { TailReader } from "../../domain/logs/log-tail.ts";
import { findReadLimit } from "../../domain/read-limit.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../domain/time.ts";
import type { ProjectSlugs } from "../../domain/traces/name-service.ts";
import { mergeStreams } from "../live/merge-streams.server.ts";
import type { LogFilters } from "./log-filters.ts";
import { toLogLine } from "./log-line.server.ts";
import { readLogFilters } from "./read-log-filters.server.ts";
import type { TailEvent } from "./tail-event.ts";
import { printTailPosition, readTailPosition, type TailPosition } from "./tail-position.ts";

/** Milliseconds until a browser connects again. Short, because a restart takes about a second. */
const RETRY_MS = 2 * SECOND_MS;
const RETRY_WHEN_FULL_MS = 30 * SECOND_MS;
const RETRY_OF_BROWSER_MS = 5 * SECOND_MS;
/** After this time the browser connects again, which checks its rights again. */
const MAX_LIFE_MS = 10 * MINUTE_MS;
/** Bytes that may wait for the browser. If there are more, lines wait in the thread of the tail, which leaves some out. */
const MAX_WAITING_BYTES = 64 * 1024;
/** Milliseconds. After a longer pause, missed lines are not looked up. */
const MAX_GAP_MS = 15 * MINUTE_MS;
const MAX_FILLED = 1_000;
/** Lines that were stored during the pause may have arrived this long before it: a full backlog takes an hour or more to digest. */
const MAX_WAIT_MS = DAY_MS;

type TailWorkspace = Pick<Workspace, "state" | "scope" | "events" | "logTail">;

/**
 * A stream of server-sent events with the lines that match the filters, as they are stored, until the reader leaves (`signal`).
 * `openFeed`: other events in the same stream, if any. Null: the search is not understood, or none of the chosen projects exists
 * any more.
 */
export async function openLogTail(
  workspace: TailWorkspace,
  {
    filters,
    from,
    now,
    signal,
    openFeed,
  }: {
    filters: LogFilters;
    from: string | null;
    now: number;
    signal: AbortSignal;
    openFeed: () => ReadableStream<Uint8Array> | null;
  },
): Promise<ReadableStream<Uint8Array> | null> {
  const { lineFilter, errors, slugs } = await readLogFilters(workspace, { filters, now });
  if (errors.length > 0 || (filters.projectSlugs.length > 0 && lineFilter.projectIds.length === 0)) return null;
  const { logTail } = workspace;
  const reader = signal.aborted ? null : logTail.open({ ...lineFilter, columns: filters.columns, slugs });
  const encoder = new TextEncoder();
  if (reader === null) return refuse(RETRY_WHEN_FULL_MS);
  const stop = () => reader.close();
  signal.addEventListener("abort", stop, { once: true });
  const life = setTimeout(stop, MAX_LIFE_MS);
  life.unref();
  const toId = (sequences: Positions) => printTailPosition({ journalId: logTail.journalId, sequences, at: Date.now() });
  const tail = new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        const send = (text: string) => controller.enqueue(encoder.encode(text));
        send(`retry: ${RETRY_MS}\n\n`);
        const since = readTailPosition(from);
        const filled = await fillGap(workspace, { lineFilter, filters, slugs, since, reader, now }).catch(
          (error: unknown) => {
            // The browser requests the missing lines, and the stream continues with new ones.
            if (since !== null && findReadLimit(error) !== null) return noneFilled(since);
            stop();
            throw error;
          },
        );
        if (filled) send(frame(filled, toId(reader.from)));
      },
      async pull(controller) {
        const news = await reader.next();
        if (news === null) {
          clearTimeout(life);
          controller.close();
          return;
        }
        const { upTo, ...rest } = news;
        controller.enqueue(encoder.encode(frame({ kind: "news", ...rest }, toId(upTo))));
      },
      cancel() {
        clearTimeout(life);
        stop();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
  );
  const feed = openFeed();
  return feed === null ? tail : mergeStreams(tail, feed);
}

/** The answer to a browser that has too many streams. It tries again soon: another window may have been closed. */
export function refuseLogTail(): ReadableStream<Uint8Array> {
  return refuse(RETRY_OF_BROWSER_MS);
}

function refuse(retryMs: number): ReadableStream<Uint8Array> {
  return new Blob([`retry: ${retryMs}\n\n${frame({ kind: "full" })}`]).stream();
}

/** Lines that were stored between the reader's position and the start of this connection. Null: the position is not known. */
async function fillGap(
  { events, logTail }: TailWorkspace,
  {
    lineFilter,
    filters,
    slugs,
    since,
    reader,
    now,
  }: {
    lineFilter: Parameters<Workspace["events"]["listNewLogs"]>[0];
    filters: LogFilters;
    slugs: ProjectSlugs;
    since: TailPosition | null;
    reader: TailReader;
    now: number;
  },
): Promise<TailEvent | null> {
  if (since === null) return null;
  const { sequences: seen, at } = since;
  if (since.journalId !== logTail.journalId || seen.length !== reader.from.length || now - at > MAX_GAP_MS)
    return noneFilled(since);
  const range = { sequences: toRangesBetween(seen, reader.from), receivedFrom: at - MAX_WAIT_MS };
  const rows =
    range.sequences.length === 0 ? [] : await events.listNewLogs(lineFilter, { ...range, limit: MAX_FILLED + 1 });
  const lines = rows.slice(0, MAX_FILLED).map((row) => toLogLine(row, filters.columns, slugs));
  return { kind: "filled", lines, isAll: rows.length <= MAX_FILLED, since: at };
}

function noneFilled({ at }: TailPosition): TailEvent {
  return { kind: "filled", lines: [], isAll: false, since: at };
}

function frame(event: TailEvent, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`;
}
