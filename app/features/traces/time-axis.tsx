import type { TimeWindow } from "../../domain/traces/time-window.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { useRangeDrag } from "../../ui/use-range-drag.ts";

const STEPS = [1, 2, 5];
const MAX_TICKS = 6;

/** An axis with round times since the trace began. Dragging over it selects another window. */
export function TimeAxis({ window, onZoom }: { window: TimeWindow; onZoom: (window: TimeWindow) => void }) {
  const { fromUs, toUs } = window;
  const size = toUs - fromUs;
  const { dragged, handlers } = useRangeDrag((share) => fromUs + share * size, onZoom);
  const toShare = (us: number) => `${((us - fromUs) / size) * 100}%`;
  return (
    <div className="trace-axis" aria-hidden="true" {...handlers}>
      {listTicks(window)
        .filter((tick) => tick - fromUs < size * 0.94)
        .map((tick) => (
          <span key={tick} style={{ left: toShare(tick) }}>
            {formatTick(tick, window)}
          </span>
        ))}
      {dragged && (
        <i
          className="trace-axis-drag"
          style={{ left: toShare(dragged.fromUs), width: `${((dragged.toUs - dragged.fromUs) / size) * 100}%` }}
        />
      )}
    </div>
  );
}

/** The text of a tick. In a narrow window far from the start, it has all the digits that distinguish one tick from the next. */
function formatTick(tick: number, { fromUs, toUs }: TimeWindow): string {
  if (tick === 0) return "0";
  if (fromUs === 0) return formatDuration(tick);
  const step = chooseStep(toUs - fromUs);
  if (step >= 1_000_000) return `${(tick / 1_000_000).toLocaleString("en")} s`;
  return `${(tick / 1_000).toLocaleString("en", { maximumFractionDigits: 3 })} ms`;
}

function listTicks({ fromUs, toUs }: TimeWindow): number[] {
  const step = chooseStep(toUs - fromUs);
  const first = Math.ceil(fromUs / step) * step;
  return Array.from({ length: Math.floor((toUs - first) / step) + 1 }, (_, at) => first + at * step);
}

/** The step between ticks: 1, 2 or 5 times a power of ten, so that there are at most six. */
export function chooseStep(totalUs: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of STEPS) if (totalUs / (step * power) <= MAX_TICKS) return step * power;
  }
}
