import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { DEFAULT_WINDOW } from "./default-window.ts";
import type { TimeRange } from "./timeline.ts";
import { MIN_WINDOW_US, readTimelineOptions, type TimelineOptions, writeTimelineOptions } from "./timeline-options.ts";

/** Milliseconds without a change until the address follows: browsers refuse more than a few changes a second. */
const REST_MS = 300;
const MAX_WINDOW_US = 30 * 86_400 * 1e6;

export interface TimelineViewState {
  options: TimelineOptions;
  window: TimeRange;
  change(change: Partial<TimelineOptions>): void;
  zoomTo(range: TimeRange): void;
  /** A factor below 1 zooms in. `aroundUs` stays at its place on the screen. */
  zoomBy(factor: number, aroundUs: number): void;
  panBy(us: number): void;
  /** Moves the window so that the range is visible. */
  show(range: TimeRange): void;
}

/** The visible window of a timeline. On its own page, the window is in the address, which follows. */
export function useTimelineView({ isPage, isAsSent }: { isPage: boolean; isAsSent: boolean }): TimelineViewState {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [options, setOptions] = useState(() => ({
    ...readTimelineOptions(isPage ? search : new URLSearchParams()),
    isAsSent,
  }));
  const window = options.window ?? DEFAULT_WINDOW;
  const written = useRef(writeTimelineOptions(options));
  const next = writeTimelineOptions({ ...options, isAsSent });
  useEffect(() => {
    if (!isPage || written.current === next) return;
    const timer = setTimeout(() => {
      written.current = next;
      void navigate({ search: next }, { replace: true, preventScrollReset: true });
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [isPage, navigate, next]);

  const change = useCallback(
    (changed: Partial<TimelineOptions>) => setOptions((known) => ({ ...known, ...changed })),
    [],
  );
  const move = useCallback((to: (window: TimeRange) => TimeRange) => {
    setOptions((known) => ({ ...known, window: keepSane(to(known.window ?? DEFAULT_WINDOW)) }));
  }, []);
  return {
    options: { ...options, isAsSent },
    window,
    change,
    zoomTo: useCallback((range) => move(() => range), [move]),
    zoomBy: useCallback(
      (factor, aroundUs) =>
        move(({ fromUs, toUs }) => ({
          fromUs: aroundUs - (aroundUs - fromUs) * factor,
          toUs: aroundUs + (toUs - aroundUs) * factor,
        })),
      [move],
    ),
    panBy: useCallback((us) => move(({ fromUs, toUs }) => ({ fromUs: fromUs + us, toUs: toUs + us })), [move]),
    show: useCallback(
      (range) =>
        move((known) => {
          const size = known.toUs - known.fromUs;
          if (range.toUs >= known.fromUs && range.fromUs <= known.toUs) return known;
          const fromUs = range.fromUs - size / 3;
          return { fromUs, toUs: fromUs + size };
        }),
      [move],
    ),
  };
}

function keepSane({ fromUs, toUs }: TimeRange): TimeRange {
  const size = Math.min(Math.max(toUs - fromUs, MIN_WINDOW_US), MAX_WINDOW_US);
  const middle = (fromUs + toUs) / 2;
  return { fromUs: Math.round(middle - size / 2), toUs: Math.round(middle + size / 2) };
}
