import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { Button } from "../../ui/button.tsx";

/** The scale of the chart: values from 0 to `top`, by their square roots. */
export interface LineScale {
  top: number;
}

/** The height of a value, from 0 at the bottom to 1. */
export function toHeight(value: number, { top }: LineScale): number {
  return Math.sqrt(Math.min(value, top) / top);
}

/** The whole number at a height. At least 1. */
export function toValue(height: number, { top }: LineScale): number {
  return Math.max(1, Math.round(Math.min(1, Math.max(0, height)) ** 2 * top));
}

/** The value after a key press on the line. Null: the key is not one for sliders. */
export function moveByKey(key: string, value: number, { top }: LineScale): number | null {
  const page = Math.max(1, Math.round(top / 10));
  const steps: Record<string, number> = {
    ArrowUp: 1,
    ArrowRight: 1,
    ArrowDown: -1,
    ArrowLeft: -1,
    PageUp: page,
    PageDown: -page,
    Home: -top,
    End: top,
  };
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return step === undefined ? null : Math.min(top, Math.max(1, value + step));
}

/** The line of the chart. It can be dragged, or moved with keys. Releasing it, or Enter, presses the button of `RehearsedLine`. */
export function LineSlider({
  value,
  scale,
  kind,
  onMove,
  onDone,
}: {
  value: number;
  scale: LineScale;
  kind: "events" | "users";
  onMove: (value: number) => void;
  onDone: () => void;
}) {
  const handle = useRef<HTMLDivElement>(null);
  const follow = (event: PointerEvent) => {
    const plot = handle.current?.parentElement?.getBoundingClientRect();
    if (plot) onMove(toValue((plot.bottom - event.clientY) / plot.height, scale));
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") return onDone();
    const moved = moveByKey(event.key, value, scale);
    if (moved === null) return;
    // Otherwise the page would scroll, too.
    event.preventDefault();
    onMove(moved);
  };
  return (
    <div
      ref={handle}
      role="slider"
      tabIndex={0}
      aria-label="Line of the rule"
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={scale.top}
      aria-valuenow={value}
      aria-valuetext={`${value.toLocaleString("en")} ${kind}`}
      className="alert-slider"
      style={{ bottom: `${toHeight(value, scale) * 100}%` }}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event);
      }}
      onPointerUp={onDone}
    >
      <span aria-hidden="true" className="alert-slider-value">
        {value.toLocaleString("en")}
      </span>
    </div>
  );
}

/** The effect of the moved line, and the button that rehearses it. */
export function RehearsedLine({
  value,
  line,
  reached,
  formId,
  button,
}: {
  value: number;
  /** The line that was rehearsed. */
  line: number;
  /** The number of bars in which one issue reached the moved line. */
  reached: number;
  formId: string;
  button: React.RefObject<HTMLButtonElement | null>;
}) {
  if (value === line)
    return <p className="pt-2 text-muted text-xs">Drag the line, or move it by arrow keys, to try another number.</p>;
  return (
    <div className="flex flex-wrap items-center gap-3 pt-2 text-sm">
      <p className="mr-auto" role="status">
        At <b>{value.toLocaleString("en")}</b> instead of {line.toLocaleString("en")}: {sayReached(reached)}
      </p>
      <Button ref={button} type="submit" form={formId} name="intent" value={`use-${value}`} size="sm">
        Rehearse with {value.toLocaleString("en")}
      </Button>
    </div>
  );
}

function sayReached(count: number): string {
  if (count === 0) return "no issue came up to it.";
  return count === 1 ? "one bar comes up to it." : `${count.toLocaleString("en")} bars come up to it.`;
}
