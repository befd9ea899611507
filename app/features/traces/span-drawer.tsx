import { Search, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { showTurns } from "../../domain/traces/show-turns.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import { toEventId } from "../events/event-id.ts";
import { addFilter } from "../explore/explore-options.ts";
import type { SpanDetail, SpanLink as SpanLinkOf } from "./get-span.server.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { ModelCallSection } from "./model-call-section.tsx";
import { toTracePath } from "./trace-options.ts";
import { useTraceNavigation } from "./use-trace-navigation.ts";
import { UsualDuration } from "./usual-duration.tsx";

/** Characters of a search that an address can hold. */
const MAX_SOUGHT = 100;
/** Characters. A longer value scrolls, so that the values below stay near. */
const MAX_INLINE = 300;
/** Attributes whose values are ids of profiles. */
const PROFILE_KEYS = ["sentry.profile_id", "sentry.profiler_id"];

/** All details of one span, beside the rows. */
export function SpanDrawer({ page, span }: { page: TracePage; span: SpanDetail }) {
  const { traceId, options, durationUs } = page;
  const go = useTraceNavigation(traceId, options);
  const view = options.view === "logs" ? "waterfall" : options.view;
  const to = (spanKey: string) => toTracePath(traceId, { ...options, view, spanKey });
  const errors = page.errors.filter(({ spanId }) => spanId === span.id);
  const attributes = span.attributes.filter(([key]) => !span.modelCall?.keys.includes(key));
  return (
    <section className="trace-drawer" aria-labelledby="span-title">
      <header className="trace-drawer-head">
        <h2 id="span-title" className="min-w-0 flex-1 truncate font-mono text-base">
          {span.op ?? "span"} <span className="font-normal text-muted">{span.service}</span>
        </h2>
        <CopyButton text={span.id} label="Copy the span id" isIcon />
        <IconButton
          size="sm"
          label="Close"
          shortcut="Esc"
          icon={<X aria-hidden="true" />}
          onClick={() => go({ view, spanKey: null })}
        />
      </header>
      {span.name && <pre className="trace-drawer-name">{span.name}</pre>}
      {errors.map((error) => (
        <p key={error.eventId} className="trace-drawer-error">
          <LevelMark level={error.level} />
          <Link
            to={`/issues/${error.issueId}/events/${error.eventId}`}
            className="min-w-0 truncate font-mono underline"
          >
            <bdi>{error.title}</bdi>
          </Link>
        </p>
      ))}
      {span.usual && <UsualDuration usual={span.usual} durationUs={span.durationUs} />}
      {span.alike !== "" && (
        <p className="px-4 py-1">
          <Link to={`/traces?q=${encodeURIComponent(span.alike)}`} className="underline">
            Spans like it
          </Link>
        </p>
      )}
      {span.profilePath && (
        <p className="px-4 py-1">
          <Link to={span.profilePath} className="underline">
            Profile: where its time went
          </Link>
        </p>
      )}
      {span.modelCall && <ModelCallSection call={span.modelCall} />}
      <h3>Facts</h3>
      <dl className="trace-pairs">
        <Pair term="starts">
          +{formatDuration(span.startUs)} <AbsoluteTime at={span.startedUs / 1_000} className="text-muted" />
        </Pair>
        {span.sentStartUs !== null && (
          <Pair term="as sent">
            <AbsoluteTime at={span.sentStartUs / 1_000} />{" "}
            <span className="text-muted">by a clock that differs from this server's</span>
          </Pair>
        )}
        <Pair term="took">
          {formatDuration(span.durationUs)} <Share us={span.durationUs} ofUs={durationUs} />
        </Pair>
        <Pair term="own time">
          {formatDuration(span.selfUs)} <Share us={span.selfUs} ofUs={durationUs} />
        </Pair>
        {span.status && <Pair term="status">{span.status.replaceAll("_", " ")}</Pair>}
        <Pair term="project">
          <Link to={`/projects/${span.project}`} className="underline">
            {span.project}
          </Link>
        </Pair>
        {span.release && (
          <Pair term="release">
            <Link to={`/releases/${encodeURIComponent(span.release)}`} className="underline">
              <bdi>{span.release}</bdi>
            </Link>
          </Pair>
        )}
        {span.environment && <Pair term="environment">{span.environment}</Pair>}
        {span.sampleRate !== null && (
          <Pair term="sampled">
            {(span.sampleRate * 100).toLocaleString("en", { maximumFractionDigits: 3 })} % of traces
          </Pair>
        )}
        {span.sdk && <Pair term="SDK">{span.sdk}</Pair>}
      </dl>
      {attributes.length > 0 && (
        <>
          <h3>
            Attributes{" "}
            <span className="font-normal text-faint">
              {formatCount(span.attributeCount - span.attributes.length + attributes.length)}
            </span>
          </h3>
          {span.attributeCount > span.attributes.length && (
            <p className="text-muted text-xs">
              Only the first {formatCount(span.attributes.length)} that were sent are shown.
            </p>
          )}
          <dl className="trace-pairs font-mono">
            {attributes.map(([key, value]) => (
              <Pair key={key} term={showTurns(key)}>
                {PROFILE_KEYS.includes(key) && toEventId(value) !== null ? (
                  <Link to={`/events/${toEventId(value)}`} className="underline">
                    {value}
                  </Link>
                ) : value.length <= MAX_INLINE ? (
                  <bdi>{showTurns(value)}</bdi>
                ) : (
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
                  <pre className="trace-long-value" dir="auto" tabIndex={0}>
                    {showTurns(value)}
                  </pre>
                )}
                {value.length <= MAX_SOUGHT && (
                  <Link
                    to={toTracePath(traceId, { ...options, words: addFilter("", key, value) })}
                    replace
                    preventScrollReset
                    className="trace-find"
                    aria-label={`Find spans of this trace with this ${key}`}
                    data-tip="Find in this trace"
                  >
                    <Search aria-hidden="true" />
                  </Link>
                )}
              </Pair>
            ))}
          </dl>
        </>
      )}
      {span.logs.length > 0 && (
        <>
          <h3>
            Log lines <span className="font-normal text-faint">{span.logs.length}</span>
          </h3>
          <ul className="trace-drawer-logs">
            {span.logs.map(({ key, atUs, level, body }) => (
              <li key={key}>
                <LevelMark level={level} />
                <bdi className="min-w-0 flex-1 truncate font-mono" title={body}>
                  {body}
                </bdi>
                <span className="tabular text-muted">+{formatDuration(atUs)}</span>
              </li>
            ))}
          </ul>
          <p className="px-4 py-1">
            <Link to={toTracePath(traceId, { ...options, view: "logs" })} className="underline">
              All log lines of the trace
            </Link>
          </p>
        </>
      )}
      <SpanLinks title="Links to" links={span.links} page={page} />
      <SpanLinks title="Linked from" links={span.linkedFrom} page={page} />
      {(span.parent || span.childCount > 0) && <h3>Above and below</h3>}
      <ul className="trace-drawer-links">
        {span.parent && (
          <li>
            in <SpanLink to={to(span.parent.id)}>{span.parent.name}</SpanLink>
          </li>
        )}
        {span.children.map((child) => (
          <li key={child.id}>
            <SpanLink to={to(child.key)}>{child.name}</SpanLink>{" "}
            <span className="text-muted">{formatDuration(child.durationUs)}</span>
          </li>
        ))}
        {span.childCount > span.children.length && (
          <li className="text-muted">and {(span.childCount - span.children.length).toLocaleString("en")} more</li>
        )}
      </ul>
    </section>
  );
}

/** Links to other spans, often of other traces. */
function SpanLinks({ title, links, page }: { title: string; links: readonly SpanLinkOf[]; page: TracePage }) {
  if (links.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className="trace-drawer-links">
        {links.map(({ traceId, spanId, name }) => (
          <li key={`${traceId} ${spanId}`}>
            <Link
              to={toTracePath(
                traceId,
                traceId === page.traceId ? { ...page.options, spanKey: spanId } : { spanKey: spanId },
              )}
              className="font-mono underline"
            >
              <bdi>{name}</bdi>
            </Link>
            {traceId !== page.traceId && <span className="text-muted"> in trace {traceId.slice(0, 8)}</span>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Pair({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Share({ us, ofUs }: { us: number; ofUs: number }) {
  if (ofUs <= 0) return null;
  const percent = (us / ofUs) * 100;
  return <span className="text-muted">{percent > 0 && percent < 1 ? "< 1" : Math.round(percent)} % of the trace</span>;
}

function SpanLink({ to, children }: { to: string; children: string }) {
  const { state } = useLocation();
  return (
    <Link to={to} replace preventScrollReset state={state} className="font-mono underline">
      <bdi>{children}</bdi>
    </Link>
  );
}
