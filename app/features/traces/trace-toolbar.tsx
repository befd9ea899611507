import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { formatCount } from "../../ui/count.tsx";
import { Checkbox, Select } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { FilterForm } from "../filters/filter-form.tsx";
import { SearchRefusal } from "../search/search-refusal.tsx";
import type { TracePage } from "./get-trace-page.server.ts";
import { toSkewWords } from "./skew-words.ts";
import { readTraceOptions, TRACE_VIEWS, type TraceView, toTracePath, writeTraceOptions } from "./trace-options.ts";

const LABELS: Record<TraceView, string> = {
  waterfall: "Waterfall",
  flame: "Flame",
  statistics: "Statistics",
  logs: "Logs",
};

/** The views of the trace, and the filters of its spans. */
export function TraceToolbar({ page }: { page: TracePage }) {
  const { traceId, options, spanCount, logCount, selection } = page;
  return (
    <>
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
        {options.view !== "logs" && spanCount > 0 && <SpanSearch page={page} />}
      </div>
      {selection.problems.length > 0 && (
        <div className="px-4 py-2">
          <SearchRefusal id="search-refusal" search={options.words} errors={selection.problems} />
        </div>
      )}
    </>
  );
}

function SpanSearch({ page: { traceId, options, ops, selection } }: { page: TracePage }) {
  const { words, isFiltered, folded, isAsSent, view, window, services, op, spanKey } = options;
  const kept = new URLSearchParams(
    writeTraceOptions({ view, window, services, folded, isAsSent, spanKey, op: null, words: "", isFiltered: false }),
  );
  return (
    <FilterForm
      action={`/traces/${traceId}`}
      className="trace-search"
      toPath={(fields) => toTracePath(traceId, readTraceOptions(fields))}
      isScrollKept
    >
      {[...kept].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
      {(ops.length > 1 || op !== null) && (
        <Select name="op" aria-label="Kind of span" defaultValue={op ?? ""} className="w-auto! max-w-44">
          <option value="">All kinds</option>
          {op !== null && !ops.some((each) => each.op === op) && <option>{op}</option>}
          {toOptions(ops, (each) => [each.op, `${each.op} (${formatCount(each.spanCount)})`])}
        </Select>
      )}
      <SearchInput label="Find spans" placeholder="Text, span.duration:>1s, any attribute" text={words} />
      {words !== "" && selection.problems.length === 0 && (
        <span role="status" className="tabular text-muted text-sm">
          {selection.matchCount === 1 ? "1 span" : `${selection.matchCount.toLocaleString("en")} spans`}
        </span>
      )}
      {words !== "" && (
        <label htmlFor="only-found" className="flex items-center gap-1.5 text-sm">
          <Checkbox id="only-found" name="only" value="1" defaultChecked={isFiltered} />
          Only what is found
        </label>
      )}
    </FilterForm>
  );
}

/** Chooses between corrected times and times as sent. Shown only if clocks differ. */
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
