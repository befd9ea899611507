import { MINIMAP_LINES, type MinimapLine } from "./minimap-line.ts";

const LINE_HEIGHT = 3;

/** The whole trace in small. Says nothing that the rows do not say. */
export function Minimap({ lines, hues }: { lines: readonly MinimapLine[]; hues: readonly number[] }) {
  return (
    <svg
      className="trace-minimap"
      viewBox={`0 0 1000 ${MINIMAP_LINES * LINE_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {lines.map(({ line, from, to, service }) => (
        <rect
          key={`${line} ${from}`}
          data-hue={hues[service] ?? 0}
          x={from * 1000}
          y={line * LINE_HEIGHT}
          width={(to - from) * 1000}
          height={LINE_HEIGHT - 1}
        />
      ))}
    </svg>
  );
}
