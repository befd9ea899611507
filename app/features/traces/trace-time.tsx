import { RotateCcw } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { Button } from "../../ui/button.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { Minimap } from "./minimap.tsx";
import { TimeAxis } from "./time-axis.tsx";
import { type TraceWindow, useWindowKeys } from "./use-trace-window.ts";

/** The header of every view: a small overview of the whole trace, the selected part of its time, and words about it. */
export function TraceTime({
  page,
  hues,
  view,
  plot,
  isWide = false,
  children,
}: {
  page: TracePage;
  hues: readonly number[];
  view: TraceWindow;
  plot?: Ref<HTMLDivElement>;
  /** Whether the axis takes the whole width, with the words above it. */
  isWide?: boolean;
  /**
   * Words about the selection. Only text whose changes a screen reader should announce is a status. Text that changes with the
   * current row is not.
   */
  children: ReactNode;
}) {
  const { window, isWhole } = view;
  useWindowKeys(view);
  return (
    <div className="trace-top" data-wide={isWide || undefined}>
      <div className="trace-top-words">
        {!isWhole && (
          <p className="flex flex-wrap items-center gap-2 pb-1">
            <span className="tabular">
              +{formatDuration(window.fromUs)} to +{formatDuration(window.toUs)},{" "}
              {formatDuration(window.toUs - window.fromUs)}
            </span>
            <Button size="sm" variant="quiet" icon={<RotateCcw aria-hidden="true" />} onClick={view.reset}>
              Whole trace
            </Button>
          </p>
        )}
        <p>{children}</p>
      </div>
      <div ref={plot} className="trace-top-plot">
        <Minimap lines={page.minimap} hues={hues} totalUs={Math.max(1, page.durationUs)} view={view} />
        <TimeAxis window={window} onZoom={view.zoomTo} />
      </div>
    </div>
  );
}
