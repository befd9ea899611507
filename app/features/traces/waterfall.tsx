// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be drawn in part
// biome-ignore-all lint/a11y/useFocusableInteractive: the tree has the focus, and names the row that is active

import { ChevronDown, ChevronUp } from "lucide-react";
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { TimeWindow } from "../../domain/traces/time-window.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { MAX_ROWS_PX } from "./row-scroll.ts";
import { chooseStep } from "./time-axis.tsx";
import type { TraceOptions } from "./trace-options.ts";
import type { TraceRowsWindow } from "./trace-rows-view.ts";
import { TraceTime } from "./trace-time.tsx";
import { useShownRows } from "./use-shown-rows.ts";
import { useTraceNavigation } from "./use-trace-navigation.ts";
import { useTraceRows } from "./use-trace-rows.ts";
import { type TraceWindow, useWheel } from "./use-trace-window.ts";
import { WaterfallRow } from "./waterfall-row.tsx";

/** Rows above and below the visible ones. */
const OVERSCAN = 20;

/** The spans of a trace as rows below one axis. The page holds only the visible rows, so a million rows scroll like ten. */
export function Waterfall({
  page,
  view,
  rows,
  loaded,
  hues,
}: {
  page: TracePage;
  view: TraceWindow;
  rows: TraceRowsWindow;
  /** The options that the server has answered with `rows`, and with the open details. Those of the page may be newer. */
  loaded: TraceOptions;
  hues: readonly number[];
}) {
  const { traceId, options, services } = page;
  const { rowAt, show, hasFailed } = useTraceRows(traceId, loaded, rows);
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  useWheel(frame, plot, view);
  const { rowHeight, shown, scrollTo, isInPlace } = useShownRows(frame, rows);
  const [active, setActive] = useState(() => findRow(rows, options.spanKey) ?? rows.matches[0] ?? 0);
  const [showsPath, setShowsPath] = useState(true);
  const go = useTraceNavigation(traceId, options);

  const from = Math.max(0, shown.from - OVERSCAN);
  const to = Math.min(rows.count, shown.to + OVERSCAN);
  useEffect(() => show(from, to));

  // Scrolls to the span in the address. On a phone, the height of rows is known only after they were drawn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later the person scrolls
  useLayoutEffect(() => {
    if (active > 0) scrollTo(active);
  }, [rowHeight]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the search that led here
  useLayoutEffect(() => {
    // After a search, the focus moves to the rows, so that their keys work.
    const field = document.activeElement;
    const hasSearched = field instanceof HTMLInputElement && field.name === "q" && field.value === options.words;
    if (hasSearched && rows.matchCount > 0) frame.current?.focus({ preventScroll: true });
  }, []);

  // The details may cover the lower end of the page, so the row is scrolled into view.
  const shownKey = useRef<string | null>(null);
  useEffect(() => {
    if (shownKey.current === loaded.spanKey) return;
    const row = document.getElementById(`trace-row-${active}`);
    // The row is in its final place only when the rows have followed the frame, and their height is known.
    if (loaded.spanKey !== null && !(row && isInPlace(row, active))) return;
    shownKey.current = loaded.spanKey;
    if (loaded.spanKey !== null) row?.scrollIntoView({ block: "nearest" });
  });

  // Another window of time has other rows. The same span stays active if it is among them.
  const activeKey = useRef<string | null>(null);
  useEffect(() => {
    const row = rowAt(active);
    if (row?.kind === "span") activeKey.current = row.key;
  });
  useLayoutEffect(() => {
    setActive((row) => findRow(rows, activeKey.current) ?? Math.min(row, Math.max(0, rows.count - 1)));
  }, [rows]);

  const move = (row: number) => {
    const next = Math.max(0, Math.min(row, rows.count - 1));
    setActive(next);
    scrollTo(next);
  };
  const stepToMatch = (step: 1 | -1) => {
    const { matches } = rows;
    const next = step === 1 ? matches.find((row) => row > active) : matches.findLast((row) => row < active);
    const wrapped = next ?? (step === 1 ? matches[0] : matches.at(-1));
    if (wrapped !== undefined) move(wrapped);
  };
  const fold = (row: number, isFolded?: boolean) => {
    const span = rowAt(row);
    if (span?.kind !== "span" || span.childCount === 0 || span.isFolded === isFolded) return;
    setActive(row);
    const folded = span.isFolded ? options.folded.filter((id) => id !== span.id) : [...options.folded, span.id];
    go({ folded });
  };
  const open = (row: number) => {
    const span = rowAt(row);
    setActive(row);
    if (span?.kind === "span") go({ spanKey: span.key });
  };
  const zoomToRow = (row: number) => {
    const span = rowAt(row);
    if (span) view.zoomTo({ fromUs: span.startUs, toUs: span.startUs + span.durationUs });
  };
  const toParent = () => {
    const depth = rowAt(active)?.depth ?? 0;
    for (let row = active - 1; row >= 0; row--) {
      const above = rowAt(row);
      if (above === undefined) return;
      if (above.kind === "span" && above.depth < depth) return move(row);
    }
  };

  /**
   * Moves the focus to the rows, where further keys work: there the focus is visible, a screen reader reads the row, and Enter
   * opens it.
   */
  const inRows = (act: () => void) => () => {
    frame.current?.focus({ preventScroll: true });
    act();
  };
  useShortcuts({
    j: inRows(() => move(active + 1)),
    k: inRows(() => move(active - 1)),
    h: inRows(() => foldOrRise()),
    l: inRows(() => fold(active, false)),
    o: inRows(() => open(active)),
    n: inRows(() => stepToMatch(1)),
    "Shift+n": inRows(() => stepToMatch(-1)),
    p: () => setShowsPath((shows) => !shows),
    z: () => zoomToRow(active),
    f: () => options.words !== "" && go({ isFiltered: !options.isFiltered }),
    Escape: () => (options.spanKey === null ? false : go({ spanKey: null })),
  });
  const foldOrRise = () => {
    const span = rowAt(active);
    if (span?.kind === "span" && span.childCount > 0 && !span.isFolded) fold(active, true);
    else toParent();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, shown.to - shown.from - 2);
    const acts: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      PageDown: () => move(active + page),
      PageUp: () => move(active - page),
      Home: () => move(0),
      End: () => move(rows.count - 1),
      ArrowRight: () => fold(active, false),
      ArrowLeft: foldOrRise,
      Enter: () => open(active),
    };
    const act = acts[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    act();
  };
  const onClick = (event: MouseEvent) => {
    const target = event.target as HTMLElement;
    const row = Number(target.closest<HTMLElement>("[data-row]")?.dataset.row ?? Number.NaN);
    if (Number.isNaN(row)) return;
    if (target.closest("[data-fold]")) fold(row);
    else open(row);
  };

  const numbers = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  return (
    <div className="trace-waterfall">
      <TraceTime page={page} hues={hues} view={view} plot={plot}>
        {describeRows(rows, shown)}
        <span role="status" className="sr-only">
          {rows.count === 1 ? "1 row" : `${rows.count.toLocaleString("en")} rows`}
        </span>
        {rows.matchCount > 0 && <FoundRows rows={rows} active={active} step={stepToMatch} />}
        {hasFailed && <strong className="text-error"> Some rows did not load; scroll to try again.</strong>}
      </TraceTime>
      <div
        ref={frame}
        className="trace-frame"
        role="treegrid"
        aria-label="Spans"
        aria-rowcount={rows.count}
        aria-activedescendant={rowAt(active) && active >= from && active < to ? `trace-row-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div className="trace-rows" role="rowgroup" style={sizesOf(rows.count, view.window)}>
          <div
            className="trace-rows-shown"
            role="presentation"
            style={{ insetBlockStart: `min(${from} * var(--trace-row) + ${shown.shiftPx}px, ${MAX_ROWS_PX}px)` }}
          >
            {numbers.map((number) => {
              const row = rowAt(number);
              return row ? (
                <WaterfallRow
                  key={number}
                  row={row}
                  number={number}
                  window={view.window}
                  service={services[row.service]?.name ?? ""}
                  hue={hues[row.service] ?? 0}
                  isActive={number === active}
                  isOpen={row.kind === "span" && row.key === options.spanKey}
                  showsPath={showsPath}
                />
              ) : (
                <div key={number} className="trace-row trace-row-waiting" aria-hidden="true" />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Says which of the spans that were found is active, and steps to the others. */
function FoundRows({
  rows: { matches, matchCount },
  active,
  step,
}: {
  rows: TraceRowsWindow;
  active: number;
  step: (by: 1 | -1) => void;
}) {
  const matchNumber = matches.indexOf(active) + 1;
  return (
    <span className="tabular">
      {" "}
      · found {matchNumber === 0 ? "" : `${matchNumber.toLocaleString("en")} of `}
      {matchCount.toLocaleString("en")}{" "}
      <IconButton
        size="sm"
        label="Previous span that was found"
        shortcut="⇧ n"
        icon={<ChevronUp aria-hidden="true" />}
        onClick={() => step(-1)}
      />
      <IconButton
        size="sm"
        label="Next span that was found"
        shortcut="n"
        icon={<ChevronDown aria-hidden="true" />}
        onClick={() => step(1)}
      />
    </span>
  );
}

function sizesOf(count: number, { fromUs, toUs }: TimeWindow): CSSProperties {
  const step = chooseStep(toUs - fromUs);
  const tick = `${(step / (toUs - fromUs)) * 100}%`;
  const first = `${(((Math.ceil(fromUs / step) * step - fromUs) % step) / (toUs - fromUs)) * 100}%`;
  return {
    blockSize: `min(${count} * var(--trace-row), ${MAX_ROWS_PX}px)`,
    "--trace-tick": tick,
    "--trace-first-tick": first,
  } as CSSProperties;
}

function findRow(rows: TraceRowsWindow, key: string | null): number | null {
  const at = key === null ? -1 : rows.rows.findIndex((row) => row.kind === "span" && row.key === key);
  return at < 0 ? null : rows.from + at;
}

function describeRows({ count }: TraceRowsWindow, { from, to }: { from: number; to: number }): string {
  const whole = (value: number) => value.toLocaleString("en");
  if (count === 0) return "No span is like that";
  return `Rows ${whole(from + 1)} to ${whole(Math.min(count, Math.max(to, from + 1)))} of ${whole(count)}`;
}
