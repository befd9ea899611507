import { X } from "lucide-react";
import { Link, useLocation } from "react-router";
import { CopyButton } from "../../ui/copy-button.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { LevelMark } from "../../ui/level-mark.tsx";
import type { SpanDetail, SpanLink as SpanLinkOf } from "./get-span.server.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { ModelCallSection } from "./model-call-section.tsx";
import { SpanAttributes, SpanFacts } from "./span-facts.tsx";
import { toTracePath } from "./trace-options.ts";
import { useTraceNavigation } from "./use-trace-navigation.ts";
import { UsualDuration } from "./usual-duration.tsx";

/** All details of one span, beside the rows. */
export function SpanDrawer({ page, span }: { page: TracePage; span: SpanDetail }) {
  const { traceId, options, durationUs } = page;
  const go = useTraceNavigation(traceId, options);
  const view = options.view === "logs" ? "waterfall" : options.view;
  const to = (spanKey: string) => toTracePath(traceId, { ...options, view, spanKey });
  const errors = page.errors.filter(({ spanId }) => spanId === span.id);
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
      <SpanFacts span={span} traceUs={durationUs} />
      <SpanAttributes span={span} page={page} />
      <SpanLogs logs={span.logs} to={toTracePath(traceId, { ...options, view: "logs" })} />
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

function SpanLogs({ logs, to }: { logs: SpanDetail["logs"]; to: string }) {
  if (logs.length === 0) return null;
  return (
    <>
      <h3>
        Log lines <span className="font-normal text-faint">{logs.length}</span>
      </h3>
      <ul className="trace-drawer-logs">
        {logs.map(({ key, atUs, level, body }) => (
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
        <Link to={to} className="underline">
          All log lines of the trace
        </Link>
      </p>
    </>
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

function SpanLink({ to, children }: { to: string; children: string }) {
  const { state } = useLocation();
  return (
    <Link to={to} replace preventScrollReset state={state} className="font-mono underline">
      <bdi>{children}</bdi>
    </Link>
  );
}
