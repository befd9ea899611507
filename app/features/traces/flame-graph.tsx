// biome-ignore-all lint/a11y/useSemanticElements: frames are no options of a field
// biome-ignore-all lint/a11y/useFocusableInteractive: the graph has the focus, and names the frame that is active
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { formatDuration } from "../../ui/format-duration.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import { FlameBlock } from "./flame-block.tsx";
import { createFlameSteps } from "./flame-steps.ts";
import type { FlameGraph as Graph } from "./flame-view.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { TraceTime } from "./trace-time.tsx";
import { useTraceNavigation } from "./use-trace-navigation.ts";
import { type TraceWindow, useWheel } from "./use-trace-window.ts";

/** The spans of the selection over time, each below its parent. Spans that are too narrow to distinguish are drawn as one frame. */
export function FlameGraph({
  page,
  view,
  flame,
  hues,
}: {
  page: TracePage;
  view: TraceWindow;
  flame: Graph;
  hues: readonly number[];
}) {
  const { traceId, options, services } = page;
  const { frames, rowCount, leftOut } = flame;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  useWheel(frame, plot, view);
  const [activeKey, setActiveKey] = useState(options.spanKey);
  const at = Math.max(
    0,
    frames.findIndex(({ key }) => key === activeKey),
  );
  const active = frames[at];
  const go = useTraceNavigation(traceId, options);
  const hasSearch = options.words !== "";

  const move = (next: number | undefined) => {
    const to = next === undefined ? undefined : frames[next];
    if (!to) return;
    setActiveKey(to.key);
    document.getElementById(`flame-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const open = (index: number) => {
    const to = frames[index];
    if (!to) return;
    setActiveKey(to.key);
    if (to.count === 1) go({ spanKey: to.key });
    else zoomTo(index);
  };
  const zoomTo = (index: number) => {
    const to = frames[index];
    if (to) view.zoomTo({ fromUs: to.fromUs, toUs: to.toUs });
  };
  const step = createFlameSteps(frames);
  /** Moves the focus to the graph, where further keys work, as in the waterfall. */
  const inGraph = (act: () => void) => () => {
    frame.current?.focus({ preventScroll: true });
    act();
  };
  useShortcuts({
    j: inGraph(() => move(step.below(at))),
    k: inGraph(() => move(step.above(at))),
    h: inGraph(() => move(step.beside(at, -1))),
    l: inGraph(() => move(step.beside(at, 1))),
    n: inGraph(() => move(step.found(at, 1))),
    "Shift+n": inGraph(() => move(step.found(at, -1))),
    f: () => hasSearch && go({ isFiltered: !options.isFiltered }),
    o: inGraph(() => open(at)),
    z: () => zoomTo(at),
    Escape: () => (options.spanKey === null ? false : go({ spanKey: null })),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const acts: Record<string, () => void> = {
      ArrowDown: () => move(step.below(at)),
      ArrowUp: () => move(step.above(at)),
      ArrowLeft: () => move(step.beside(at, -1)),
      ArrowRight: () => move(step.beside(at, 1)),
      Home: () => move(0),
      Enter: () => open(at),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const pressed = (event: MouseEvent) =>
    Number((event.target as HTMLElement).closest<HTMLElement>("[data-frame]")?.dataset.frame ?? Number.NaN);
  return (
    <div className="trace-waterfall">
      <TraceTime page={page} hues={hues} view={view} isWide>
        <span role="status">{describe(flame)}</span>
        {active && (
          <>
            {" · "}
            <span className="font-mono">{[active.op, active.name].filter(Boolean).join(" ")}</span>{" "}
            {active.count > 1
              ? `and ${(active.count - 1).toLocaleString("en")} more`
              : formatDuration(active.durationUs)}
          </>
        )}
      </TraceTime>
      <div
        ref={frame}
        className="trace-flame"
        role="tree"
        aria-label="Flame graph"
        aria-activedescendant={active ? `flame-${at}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={(event) => open(pressed(event))}
        onDoubleClick={(event) => zoomTo(pressed(event))}
      >
        <div
          ref={plot}
          className="trace-flame-rows"
          role="presentation"
          style={{ blockSize: `calc(${rowCount} * var(--flame-row))` }}
        >
          {frames.map((each, index) => (
            <FlameBlock
              key={`${each.row} ${each.fromUs} ${each.key}`}
              frame={each}
              number={index}
              window={view.window}
              service={services[each.service]?.name ?? ""}
              hue={hues[each.service] ?? 0}
              isActive={index === at}
              isOpen={each.key === options.spanKey}
              hasSearch={hasSearch}
            />
          ))}
        </div>
      </div>
      {leftOut > 0 && (
        <p className="trace-flame-note text-muted">
          {leftOut.toLocaleString("en")} spans run deeper than the {rowCount} rows that are drawn. A narrower time has
          more room.
        </p>
      )}
    </div>
  );
}

function describe({ frames, spanCount }: Graph): string {
  if (spanCount === 0) return "No span is like that";
  const spans = spanCount === 1 ? "1 span" : `${spanCount.toLocaleString("en")} spans`;
  return frames.some(({ count }) => count > 1) ? `${spans} in ${frames.length.toLocaleString("en")} frames` : spans;
}
