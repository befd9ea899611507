import { useEffect, useState } from "react";
import { Form, Link } from "react-router";
import { HOUR_MS, MINUTE_MS } from "../../domain/time.ts";
import { Input } from "../../ui/field.tsx";
import { LogTime } from "../logs/log-time.tsx";
import { SeverityMark } from "../logs/severity-mark.tsx";
import type { TraceLogs } from "./find-trace-logs.server.ts";
import type { TimelineHead } from "./timeline.ts";

/** Milliseconds without typing until the search runs. */
const REST_MS = 250;

/** The log lines of an error's trace, with a search like that of the page of logs. Enter opens that page. */
export function TraceLogSearch({ head }: { head: Pick<TimelineHead, "eventId" | "traceId" | "occurredAt"> }) {
  const { eventId, traceId, occurredAt } = head;
  const [search, setSearch] = useState("");
  const [read, setRead] = useState<TraceLogs | "failed" | null>(null);
  useEffect(() => {
    if (traceId === null) return;
    const ending = new AbortController();
    const timer = setTimeout(
      () => {
        readLogs(eventId, search, ending.signal).then(setRead, () => !ending.signal.aborted && setRead("failed"));
      },
      search === "" ? 0 : REST_MS,
    );
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [eventId, traceId, search]);
  if (traceId === null || (search === "" && read !== "failed" && !read?.lines.length)) return null;
  const range = `${Math.floor(occurredAt - HOUR_MS)}-${Math.ceil(occurredAt + 10 * MINUTE_MS)}`;
  const query = `trace:${traceId}${search.trim() === "" ? "" : ` ${search.trim()}`}`;
  return (
    <section className="timeline-logs" aria-label="Logs of its trace">
      <Form role="search" action="/logs" className="timeline-logs-bar">
        <h3>Logs of its trace</h3>
        <input type="hidden" name="range" value={range} />
        <input type="hidden" name="q" value={query} />
        <Input
          type="search"
          controlSize="sm"
          aria-label="Search the logs of its trace"
          placeholder="Words, or severity:error service:api"
          className="max-w-80"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Link to={`/logs?${new URLSearchParams({ range, q: query })}`} className="ml-auto underline">
          In the logs
        </Link>
      </Form>
      <Found read={read} />
    </section>
  );
}

function Found({ read }: { read: TraceLogs | "failed" | null }) {
  if (read === null) return null;
  if (read === "failed")
    return (
      <p role="status" className="timeline-logs-words">
        They could not be read just now.
      </p>
    );
  const { lines, isCut, problems } = read;
  const none = isCut
    ? "No line was found in the time that this search has. “In the logs” searches on."
    : "No line matches.";
  const words = problems.length > 0 ? problems.join(" ") : lines.length === 0 ? none : "";
  return (
    <>
      <p role="status" className={words === "" ? "sr-only" : "timeline-logs-words"}>
        {words || `${lines.length} ${lines.length === 1 ? "line" : "lines"}`}
      </p>
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard
        <ol tabIndex={0} aria-label="Log lines, newest first">
          {lines.map(({ id, occurredUs, severity, body, values }) => (
            <li key={id} className="timeline-log">
              <LogTime occurredUs={occurredUs} />
              <SeverityMark severity={severity} />
              <span className="min-w-0 break-words font-mono">
                <bdi>{body}</bdi>
              </span>
              <span className="text-muted">{values[0]}</span>
            </li>
          ))}
        </ol>
      )}
      {isCut && lines.length > 0 && <p className="timeline-logs-words">Only the newest lines are shown.</p>}
    </>
  );
}

async function readLogs(eventId: string, search: string, signal: AbortSignal): Promise<TraceLogs> {
  const path = `/events/${eventId}/logs?${new URLSearchParams({ q: search })}`;
  const response = await fetch(path, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as TraceLogs;
}
