// biome-ignore-all lint/a11y/useSemanticElements: frames are no options of a field
// biome-ignore-all lint/a11y/useFocusableInteractive: the graph has the focus, and names the frame that is active
import { memo } from "react";
import type { TimeWindow } from "../../domain/traces/time-window.ts";
import { classNames } from "../../ui/class-names.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import type { FlameFrame } from "./flame-view.ts";

/** Share of the window's width. A narrower frame has no room for a name. */
const MIN_NAMED = 0.012;

interface BlockProps {
  frame: FlameFrame;
  number: number;
  window: TimeWindow;
  service: string;
  hue: number;
  isActive: boolean;
  isOpen: boolean;
  hasSearch: boolean;
}

/** A frame of the flame graph. The graph around it handles clicks. */
export const FlameBlock = memo(function FlameBlock(props: BlockProps) {
  const { frame, number, window, hue, isActive, isOpen, hasSearch } = props;
  const size = window.toUs - window.fromUs;
  const from = Math.max(0, (frame.fromUs - window.fromUs) / size);
  const width = Math.min(1, (frame.toUs - window.fromUs) / size) - from;
  const isNarrow = width < MIN_NAMED;
  const words = describeFrame(props);
  return (
    <div
      id={`flame-${number}`}
      role="treeitem"
      aria-level={frame.row + 1}
      aria-selected={isOpen}
      aria-label={words}
      title={words}
      data-frame={number}
      data-hue={hue}
      className={classNames(
        "trace-frame-block",
        isNarrow && "trace-frame-narrow",
        frame.count > 1 && "trace-frame-many",
        frame.failed > 0 && "trace-frame-failed",
        hasSearch && (frame.found > 0 ? "trace-frame-found" : "trace-frame-pale"),
        isActive && "trace-frame-active",
        isOpen && "trace-frame-open",
      )}
      style={{
        left: `${from * 100}%`,
        width: `${width * 100}%`,
        top: `calc(${frame.row} * var(--flame-row))`,
        ...(width <= 0 && { display: "none" }),
      }}
    >
      {!isNarrow && (frame.count > 1 ? `${frame.count.toLocaleString("en")} spans` : (frame.name ?? frame.op))}
    </div>
  );
});

/** The frame in words: `db SELECT 1, shop-web, 12 ms, from +40 ms, failed`. A frame of several spans says what they have. */
function describeFrame({ frame, service, hasSearch }: BlockProps): string {
  const { count, failed, found, op, name, fromUs, durationUs } = frame;
  const title = [op, name].filter(Boolean).join(" ") || "span";
  const parts =
    count === 1
      ? [title, service, formatDuration(durationUs)]
      : [`${count.toLocaleString("en")} short spans, the longest ${title}`, service, formatDuration(durationUs)];
  parts.push(`from +${formatDuration(fromUs)}`);
  if (failed > 0) parts.push(count === 1 ? "failed" : `${failed.toLocaleString("en")} failed`);
  if (hasSearch && found > 0) parts.push(count === 1 ? "found" : `${found.toLocaleString("en")} found`);
  return parts.join(", ");
}
