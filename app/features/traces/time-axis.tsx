import { formatDuration } from "../../ui/format-duration.ts";

const STEPS = [1, 2, 5];
const MAX_TICKS = 6;

/** Round times since the trace began. */
export function TimeAxis({ totalUs }: { totalUs: number }) {
  const step = chooseStep(totalUs);
  const ticks = Array.from({ length: Math.floor(totalUs / step) + 1 }, (_, at) => at * step);
  return (
    <div className="trace-axis" aria-hidden="true">
      {ticks
        .filter((tick) => tick < totalUs * 0.94)
        .map((tick) => (
          <span key={tick} style={{ left: `${(tick / totalUs) * 100}%` }}>
            {tick === 0 ? "0" : formatDuration(tick)}
          </span>
        ))}
    </div>
  );
}

/** 1, 2 or 5 of a power of ten, so that there are at most six. */
export function chooseStep(totalUs: number): number {
  for (let power = 1; ; power *= 10) {
    for (const step of STEPS) if (totalUs / (step * power) <= MAX_TICKS) return step * power;
  }
}
