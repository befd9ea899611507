import { Form } from "react-router";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import type { TracePage } from "./get-trace-page.server.ts";
import { toSkewWords } from "./skew-words.ts";
import { TRACE_VIEWS, type TraceView, toTracePath } from "./trace-options.ts";

const LABELS: Record<TraceView, string> = { waterfall: "Waterfall", statistics: "Statistics", logs: "Logs" };

/** The views of the trace, and what is searched in the waterfall. */
export function TraceToolbar({ page }: { page: TracePage }) {
  const { traceId, options, content, logCount } = page;
  return (
    <div className="trace-toolbar">
      <TabLinks
        label="Views of this trace"
        tabs={TRACE_VIEWS.map((view) => ({
          to: toTracePath(traceId, { ...options, view }),
          label: LABELS[view],
          isCurrent: view === options.view,
          ...(view === "logs" ? { count: logCount } : {}),
        }))}
      />
      {content.view === "waterfall" && <SpanSearch page={page} matchCount={content.rows.matchCount} />}
    </div>
  );
}

function SpanSearch({ page: { traceId, options }, matchCount }: { page: TracePage; matchCount: number }) {
  const { words, isFiltered, folded, isAsSent } = options;
  return (
    <Form role="search" method="get" action={`/traces/${traceId}`} replace preventScrollReset className="trace-search">
      {folded.length > 0 && <input type="hidden" name="fold" value={folded.join(".")} />}
      {isAsSent && <input type="hidden" name="clocks" value="sent" />}
      <SearchInput label="Find spans" placeholder="Find spans" text={words} />
      {words !== "" && (
        <span role="status" className="tabular text-muted text-sm">
          {matchCount === 1 ? "1 span" : `${matchCount.toLocaleString("en")} spans`}
        </span>
      )}
      <label className="flex items-center gap-1.5 text-sm">
        <input
          type="checkbox"
          name="only"
          value="1"
          key={String(isFiltered)}
          defaultChecked={isFiltered}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
        />
        Only what is found
      </label>
    </Form>
  );
}

/** Shown where clocks differ: by which the times are. */
export function ClockChoice({ page: { traceId, options, skews } }: { page: TracePage }) {
  if (skews.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pb-3 text-muted text-sm">
      <ChoiceLinks
        label="Clocks"
        links={[
          { to: toTracePath(traceId, { ...options, isAsSent: false }), label: "Aligned", isCurrent: !options.isAsSent },
          { to: toTracePath(traceId, { ...options, isAsSent: true }), label: "As sent", isCurrent: options.isAsSent },
        ]}
      />
      <p>{skews.map(toSkewWords).join(" ")}</p>
    </div>
  );
}
