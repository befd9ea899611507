import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { showTurns } from "../../domain/traces/show-turns.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { formatCount } from "../../ui/count.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import { toEventId } from "../events/event-id.ts";
import { addFilter } from "../explore/explore-options.ts";
import type { SpanDetail } from "./get-span.server.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { toTracePath } from "./trace-options.ts";

/** Characters of a search that an address can hold. */
const MAX_SOUGHT = 100;
/** Characters. A longer value scrolls, so that the values below stay near. */
const MAX_INLINE = 300;
/** Attributes whose values are ids of profiles. */
const PROFILE_KEYS = ["sentry.profile_id", "sentry.profiler_id"];

/** What is known of a span, beside its attributes. `traceUs`: how long its trace took. */
export function SpanFacts({ span, traceUs }: { span: SpanDetail; traceUs: number }) {
  return (
    <>
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
          {formatDuration(span.durationUs)} <Share us={span.durationUs} ofUs={traceUs} />
        </Pair>
        <Pair term="own time">
          {formatDuration(span.selfUs)} <Share us={span.selfUs} ofUs={traceUs} />
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
    </>
  );
}

/** The attributes of a span. Those of a model call have a section of their own. */
export function SpanAttributes({ span, page: { traceId, options } }: { span: SpanDetail; page: TracePage }) {
  const attributes = span.attributes.filter(([key]) => !span.modelCall?.keys.includes(key));
  if (attributes.length === 0) return null;
  return (
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
