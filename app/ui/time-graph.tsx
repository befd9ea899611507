import type { CSSProperties, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useIsHydrated } from "./clock.tsx";
import { listTicks } from "./graph-ticks.ts";
import { formatBucket, formatInstant, joinMarkers } from "./graph-time.ts";

/** The height of the view box, in its units. */
export const GRAPH_HEIGHT = 100;

/**
 * The frame of a graph over time: scale, plot, marks of events, and ticks. `children` are the SVG elements of the plot, in a view box of
 * `width` × `GRAPH_HEIGHT`. A screen reader gets the label and the marks.
 */
export function TimeGraph({
  label,
  className,
  from,
  spanMs,
  width,
  markers,
  scale,
  plotClassName,
  caption,
  overlay,
  children,
}: {
  label: string;
  className?: string;
  /** Milliseconds since 1970. */
  from: number;
  spanMs: number;
  width: number;
  /** Events to mark, like releases or a change of status. */
  markers: ReadonlyArray<{ at: number; label: string }>;
  scale: ReactNode;
  plotClassName: string;
  caption?: ReactNode;
  /** Drawn over the plot. */
  overlay?: ReactNode;
  children: ReactNode;
}) {
  const isHydrated = useIsHydrated();
  const marks = joinMarkers(markers, from, spanMs);
  return (
    <figure className={classNames("bar-graph", className)} aria-label={label}>
      {scale}
      <div className={`bar-graph-plot ${plotClassName}`}>
        <svg
          viewBox={`0 0 ${width} ${GRAPH_HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="bar-graph-bars"
        >
          {children}
        </svg>
        {marks.map((mark) => (
          <span
            key={mark.at}
            aria-hidden="true"
            className="bar-graph-marker"
            style={{ left: `${((mark.at - from) / spanMs) * 100}%` }}
            data-tip={`${mark.labels.join("\n")}\n${formatBucket(mark.at, 0, isHydrated)}`}
            data-tip-at-once=""
          />
        ))}
        {overlay}
      </div>
      {marks.length > 0 && (
        <ul className="sr-only">
          {marks.map((mark) => (
            <li key={mark.at}>
              {formatBucket(mark.at, 0, isHydrated)}: {mark.labels.join(", ")}
            </li>
          ))}
        </ul>
      )}
      <div className="bar-graph-ticks" aria-hidden="true">
        {listTicks(from, spanMs, isHydrated).map(({ at, isDay }) => (
          <span key={at} style={{ "--at": ((at - from) / spanMs) * 100 } as CSSProperties}>
            {formatInstant(at, isDay ? "day" : "tick", isHydrated)}
          </span>
        ))}
      </div>
      {caption}
    </figure>
  );
}
