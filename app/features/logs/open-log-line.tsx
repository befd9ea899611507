import { X } from "lucide-react";
import { useLayoutEffect, useRef } from "react";
import { Link, useNavigate } from "react-router";
import { SECOND_MS } from "../../domain/time.ts";
import { showTurns } from "../../domain/traces/show-turns.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import type { OpenLine } from "./get-open-line.server.ts";
import { toLineKeys } from "./line-keys.ts";
import { LOG_AROUND, type LogFilters, toggleFilter, toLogsPath } from "./log-filters.ts";
import { readOldLine } from "./log-place.ts";
import { focusStop } from "./log-table.tsx";
import { LogTime } from "./log-time.tsx";
import { sayOffset } from "./say-offset.ts";
import { SeverityMark } from "./severity-mark.tsx";

/** Characters. A longer value scrolls, so that the values below stay near. */
const MAX_INLINE = 300;

const AROUND_LABELS = { all: "Same project", service: "Same service", trace: "Same trace" } as const;

/** All details of a line, its links, and the lines around it. */
export function OpenLogLine({ filters, open }: { filters: LogFilters; open: OpenLine | "missing" }) {
  const navigate = useNavigate();
  const close = () => void navigate(toLogsPath(filters, { line: null }), { preventScrollReset: true });
  const drawer = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = drawer.current;
    return () => {
      // If a key closed the line, the focus returns to its row. After a click nothing gets the focus: a focus in the rows would
      // hold back new lines.
      if (element?.querySelector(":focus-visible")) queueMicrotask(focusStop);
    };
  }, []);
  const aroundKeys = open === "missing" ? [] : toLineKeys(open.around);
  return (
    <section ref={drawer} className="log-drawer" aria-labelledby="log-line-title">
      <header>
        <h2 id="log-line-title">{open === "missing" ? "This line is not stored" : <LogTime {...open.line} />}</h2>
        <IconButton size="sm" label="Close" shortcut="Esc" icon={<X aria-hidden="true" />} onClick={close} />
      </header>
      {open === "missing" ? (
        <MissingLine filters={filters} />
      ) : (
        <>
          <p className="log-links">
            <SeverityMark severity={open.line.severity} />
            {open.traceId && (
              <Link to={`/traces/${open.traceId}`} className="underline">
                Trace <code>{open.traceId.slice(0, 8)}</code>
              </Link>
            )}
            {open.issues.map(({ issueId, eventId, title }) => (
              <Link key={eventId} to={`/issues/${issueId}/events/${eventId}`} className="underline">
                Issue: <bdi>{title}</bdi>
              </Link>
            ))}
          </p>
          <pre>{open.body}</pre>
          <dl>
            {open.sentUs !== null && (
              <div>
                <dt>as sent</dt>
                <dd>
                  <span>
                    <AbsoluteTime at={open.sentUs / 1_000} />, by a clock that differs from this server's
                  </span>
                </dd>
              </div>
            )}
            {[{ key: "project", text: open.projectSlug, value: open.projectSlug }, ...open.pairs].map(
              ({ key, text, value }) => (
                <div key={key}>
                  <dt>{showTurns(key)}</dt>
                  <dd>
                    {text.length <= MAX_INLINE ? (
                      <bdi>{text}</bdi>
                    ) : (
                      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
                      <pre dir="auto" tabIndex={0}>
                        {text}
                      </pre>
                    )}
                    {value !== null && (
                      <Link
                        to={toLogsPath(filters, { search: toggleFilter(filters.search, key, value) })}
                        aria-label={`Only lines with this ${key}`}
                        className="log-facet-out"
                      >
                        +
                      </Link>
                    )}
                  </dd>
                </div>
              ),
            )}
          </dl>
          <h3>Around this line</h3>
          <ChoiceLinks
            label="Lines around this one"
            links={LOG_AROUND.filter((around) => around !== "trace" || open.traceId !== null).map((around) => ({
              to: toLogsPath(filters, { around }),
              label: AROUND_LABELS[around],
              isCurrent: around === filters.around,
            }))}
          />
          <ol className="log-around">
            {open.around.map((line, index) => (
              <li key={aroundKeys[index]} data-open={line.id === open.line.id || undefined}>
                <span className="tabular text-muted">{sayOffset(line.occurredUs - open.line.occurredUs)}</span>
                <SeverityMark severity={line.severity} />
                <bdi className="min-w-0 truncate">{line.body}</bdi>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function MissingLine({ filters }: { filters: LogFilters }) {
  const old = readOldLine(filters.line);
  if (old === null) return <p>It may have been deleted, or the days that logs are kept may be over.</p>;
  const atMs = Math.floor(old.occurredUs / 1000);
  const window = { from: atMs - SECOND_MS, to: atMs + SECOND_MS };
  return (
    <p>
      This link was made by an earlier version and does not say which line it means. See{" "}
      <Link to={toLogsPath(filters, { window, search: "" })} className="underline">
        all lines of that second
      </Link>
      .
    </p>
  );
}
