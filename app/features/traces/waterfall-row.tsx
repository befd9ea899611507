// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be drawn in part
// biome-ignore-all lint/a11y/useFocusableInteractive: the tree has the focus, and names the row that is active
import { ChevronDown, ChevronRight } from "lucide-react";
import { memo } from "react";
import type { TimeWindow } from "../../domain/traces/time-window.ts";
import { classNames } from "../../ui/class-names.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { LevelMark } from "../../ui/level-mark.tsx";
import type { GapRow, SpanRowView, TraceRow } from "./trace-rows-view.ts";

/** Deeper rows are not indented any further. */
const MAX_INDENT = 16;

interface RowProps {
  row: TraceRow;
  /** Index of the row, from 0. */
  number: number;
  /** The visible part of the time. */
  window: TimeWindow;
  service: string;
  hue: number;
  isActive: boolean;
  isOpen: boolean;
  showsPath: boolean;
}

/** One span, or one gap. The tree around it handles clicks. */
export const WaterfallRow = memo(function WaterfallRow(props: RowProps) {
  return props.row.kind === "gap" ? (
    <GapRowCells {...props} row={props.row} />
  ) : (
    <SpanRowCells {...props} row={props.row} />
  );
});

function SpanRowCells({
  row,
  number,
  window,
  service,
  hue,
  isActive,
  isOpen,
  showsPath,
}: RowProps & { row: SpanRowView }) {
  return (
    <div
      role="row"
      id={`trace-row-${number}`}
      aria-rowindex={number + 1}
      aria-level={row.depth + 1}
      aria-expanded={row.childCount > 0 ? !row.isFolded : undefined}
      aria-selected={isOpen}
      data-row={number}
      data-hue={hue}
      className={classNames(
        "trace-row",
        isActive && "trace-row-active",
        isOpen && "trace-row-open",
        row.isBeside && "trace-row-beside",
      )}
    >
      <div role="gridcell" className="trace-name" style={{ paddingInlineStart: `${indentOf(row.depth)}rem` }}>
        {row.childCount > 0 ? (
          <span className="trace-fold" data-fold={row.id}>
            {row.isFolded ? <ChevronRight aria-hidden="true" /> : <ChevronDown aria-hidden="true" />}
            <span className="tabular">{row.childCount.toLocaleString("en")}</span>
          </span>
        ) : (
          <span className="trace-leaf" />
        )}
        <span className="trace-words">
          {row.op && <span className="text-muted">{row.op} </span>}
          <bdi className={row.isMatch ? "trace-found" : "text-ink"}>{row.name?.trim() || (row.op ? "" : row.id)}</bdi>
        </span>
        {row.status && (
          <span className={classNames("trace-pill", row.isFailed && "trace-pill-failed")}>{row.status}</span>
        )}
        {row.missingParentId && (
          <span className="trace-pill trace-pill-orphan" title={`Parent ${row.missingParentId}. Reasons stand above.`}>
            parent did not arrive
          </span>
        )}
        {row.errorCount > 0 && (
          <span className="trace-count">
            <LevelMark level="error" />
            <span className="sr-only">{row.errorCount === 1 ? "one error" : `${row.errorCount} errors`}</span>
          </span>
        )}
        {row.logCount > 0 && (
          <span className="trace-pill">{row.logCount === 1 ? "1 log" : `${row.logCount} logs`}</span>
        )}
        <span className="sr-only">, {service}</span>
      </div>
      <div role="gridcell" className="trace-plot">
        <Bar row={row} window={window} />
        {showsPath &&
          row.path.map(([from, to]) => (
            <span key={from} className="trace-path" style={placeOf(from, to - from, window)} aria-hidden="true" />
          ))}
        <DurationLabel row={row} window={window} />
        {row.marks
          .filter(({ atUs }) => atUs >= window.fromUs && atUs <= window.toUs)
          .map(({ atUs, level, isError }) => (
            <span
              key={`${atUs} ${level} ${isError}`}
              className="trace-mark"
              style={{ left: placeOf(atUs, 0, window).left }}
              aria-hidden="true"
            >
              <LevelMark level={level} />
            </span>
          ))}
      </div>
    </div>
  );
}

function GapRowCells({ row, number, window, isActive }: RowProps & { row: GapRow }) {
  return (
    <div
      role="row"
      id={`trace-row-${number}`}
      aria-rowindex={number + 1}
      aria-level={row.depth + 1}
      data-row={number}
      className={classNames("trace-row", isActive && "trace-row-active")}
    >
      <div role="gridcell" className="trace-name" style={{ paddingInlineStart: `${indentOf(row.depth)}rem` }}>
        <span className="trace-leaf trace-leaf-gap" />
        <span className="trace-words text-muted">{formatDuration(row.durationUs)} without a span</span>
      </div>
      <div role="gridcell" className="trace-plot">
        <span className="trace-gap" style={placeOf(row.startUs, row.durationUs, window)} aria-hidden="true" />
        <DurationLabel row={row} window={window} />
      </div>
    </div>
  );
}

/** The bar of a span. Its self time is darker. */
function Bar({ row, window }: { row: SpanRowView; window: TimeWindow }) {
  if (!isInSight(row, window)) return null;
  return (
    <>
      <span
        className={classNames("trace-bar", row.childCount === 0 && "trace-bar-own")}
        style={placeOf(row.startUs, row.durationUs, window)}
        aria-hidden="true"
      />
      {row.own.map(([from, to]) => (
        <span key={from} className="trace-own" style={placeOf(from, to - from, window)} aria-hidden="true" />
      ))}
      {row.isFailed && (
        <span className="trace-failed" style={placeOf(row.startUs, row.durationUs, window)} aria-hidden="true" />
      )}
    </>
  );
}

/** The duration: after the bar; before it if the bar ends in the last fifth; inside if the bar is long. */
function DurationLabel({ row, window: { fromUs, toUs } }: { row: TraceRow; window: TimeWindow }) {
  if (!isInSight(row, { fromUs, toUs })) return null;
  const from = Math.max(0, (row.startUs - fromUs) / (toUs - fromUs));
  const to = Math.min(1, (row.startUs + row.durationUs - fromUs) / (toUs - fromUs));
  const text = formatDuration(row.durationUs);
  if (to - from > 0.3)
    return (
      <span className="trace-label trace-label-in" style={{ left: `${from * 100}%` }}>
        {text}
      </span>
    );
  return to > 0.8 ? (
    <span className="trace-label trace-label-before" style={{ right: `${(1 - from) * 100}%` }}>
      {text}
    </span>
  ) : (
    <span className="trace-label" style={{ left: `${to * 100}%` }}>
      {text}
    </span>
  );
}

function isInSight({ startUs, durationUs }: TraceRow, { fromUs, toUs }: TimeWindow): boolean {
  return startUs <= toUs && startUs + durationUs >= fromUs;
}

function placeOf(startUs: number, durationUs: number, { fromUs, toUs }: TimeWindow) {
  const size = toUs - fromUs;
  const from = Math.max(0, (startUs - fromUs) / size);
  const to = Math.min(1, (startUs + durationUs - fromUs) / size);
  return { left: `${from * 100}%`, width: `${Math.max(0, to - from) * 100}%` };
}

function indentOf(depth: number): number {
  return Math.min(depth, MAX_INDENT) * 0.875;
}
