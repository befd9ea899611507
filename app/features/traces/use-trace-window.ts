import { type RefObject, useEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import { fitWindow, panWindow, type TimeWindow, zoomWindow } from "../../domain/traces/time-window.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { readTraceOptions, type TraceOptions, toTracePath } from "./trace-options.ts";
import { useTraceNavigation } from "./use-trace-navigation.ts";

/** Milliseconds without a change until the address follows, and with it the drawn rows. */
const REST_MS = 250;
const CLOSER = 0.5;
const STEP = 0.25;
/** Change of zoom for each pixel of a wheel's movement. */
const WHEEL = 0.002;

export interface TraceWindow {
  window: TimeWindow;
  isWhole: boolean;
  /** The options that are on their way to the address: of a navigation that has not ended, and with this window. */
  options: TraceOptions;
  zoomTo(range: TimeWindow): void;
  zoomBy(factor: number, aroundUs: number): void;
  panBy(share: number): void;
  reset(): void;
}

/** The visible part of a trace's time. It changes at once; the address and the server's data follow. */
export function useTraceWindow({ traceId, options, durationUs, selection }: TracePage): TraceWindow {
  const going = useNavigation().location;
  const isLeaving = going !== undefined && going.pathname !== toTracePath(traceId);
  const addressed = going && !isLeaving ? readTraceOptions(new URLSearchParams(going.search)) : options;
  const totalUs = Math.max(1, durationUs);
  const whole = { fromUs: 0, toUs: totalUs };
  const known = JSON.stringify(selection.window);
  // Valid until the server has answered with this window or another one.
  const [wanted, setWanted] = useState<{ window: TimeWindow | null; instead: string } | null>(null);
  const isPending = wanted !== null && wanted.instead === known;
  const current = isPending ? wanted.window : selection.window;
  const window = current ?? whole;
  const newest = isPending ? { ...addressed, window: wanted.window } : addressed;
  const path = toTracePath(traceId, newest);
  const isFollowed = isLeaving || path === toTracePath(traceId, addressed);
  const go = useTraceNavigation(traceId, newest);
  const latestGo = useRef(go);
  useEffect(() => {
    latestGo.current = go;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each other path starts the pause again
  useEffect(() => {
    if (isFollowed) return;
    const timer = setTimeout(() => latestGo.current({}), REST_MS);
    return () => clearTimeout(timer);
  }, [path, isFollowed]);
  const change = (next: TimeWindow) => setWanted({ window: fitWindow(next, totalUs), instead: known });
  return {
    window,
    isWhole: current === null,
    options: newest,
    zoomTo: change,
    zoomBy: (factor, aroundUs) => change(zoomWindow(window, factor, aroundUs)),
    panBy: (share) => change(panWindow(window, share, totalUs)),
    reset: () => change(whole),
  };
}

/** Keyboard shortcuts that change the visible part. */
export function useWindowKeys(view: TraceWindow): void {
  const middle = (view.window.fromUs + view.window.toUs) / 2;
  useShortcuts({
    "+": () => view.zoomBy(CLOSER, middle),
    "=": () => view.zoomBy(CLOSER, middle),
    "-": () => view.zoomBy(1 / CLOSER, middle),
    "0": () => view.reset(),
    "Shift+ArrowLeft": () => view.panBy(-STEP),
    "Shift+ArrowRight": () => view.panBy(STEP),
  });
}

/** Ctrl and the wheel (or two fingers) over an element zoom in at the pointer. Shift and the wheel move along the axis. */
export function useWheel(frame: RefObject<HTMLElement | null>, plot: RefObject<HTMLElement | null>, view: TraceWindow) {
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      const { window, zoomBy, panBy } = latest.current;
      const box = plot.current?.getBoundingClientRect();
      if (!box || !(event.ctrlKey || event.shiftKey)) return;
      event.preventDefault();
      const by = event.deltaY || event.deltaX;
      if (event.shiftKey && !event.ctrlKey) return panBy(by * WHEEL);
      const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      zoomBy(Math.exp(by * WHEEL), window.fromUs + share * (window.toUs - window.fromUs));
    };
    // A listener of React's could not prevent the browser's own zoom.
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [frame, plot]);
}
