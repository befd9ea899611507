import { RotateCcw } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { Button } from "../../ui/button.tsx";
import { formatDuration } from "../../ui/format-duration.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { Minimap } from "./minimap.tsx";
import { TimeAxis } from "./time-axis.tsx";
import type { TraceWindow } from "./use-trace-window.ts";

/** Stands over every view: the whole trace in small, the part of it that is looked at, and words about it. */
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
  /** The axis takes the whole width, with the words above it. */
  isWide?: boolean;
  /** Only what a screen reader has to hear when it changes is a status: not what moves with the row that one is at. */
  children: ReactNode;
}) {
  const { window, isWhole } = view;
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
