import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

/** Ages are shown to the minute, and within the first minute to about this. */
const TICK_MS = 15_000;
/** A client clock further off than this is corrected by the server's. */
const SKEW_TOLERANCE_MS = 60_000;

const RenderedAtContext = createContext(0);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let skewMs: number | undefined;
let tickAt = 0;

function tick(): void {
  if (document.visibilityState === "hidden") return;
  tickAt = Date.now() + (skewMs ?? 0);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!timer) {
    timer = setInterval(tick, TICK_MS);
    document.addEventListener("visibilitychange", tick);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener("visibilitychange", tick);
  };
}

function currentTick(): number {
  // Whatever is drawn in between two ticks uses the same instant, or React would find the store changing under it.
  if (Date.now() + (skewMs ?? 0) - tickAt > TICK_MS * 2) tickAt = Date.now() + (skewMs ?? 0);
  return tickAt;
}

/** `renderedAt`: the server's clock (milliseconds since 1970) when it rendered; the first drawing in the browser uses it too. */
export function ClockProvider({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  if (skewMs === undefined && typeof document !== "undefined") {
    const difference = renderedAt - Date.now();
    skewMs = Math.abs(difference) > SKEW_TOLERANCE_MS ? difference : 0;
  }
  return <RenderedAtContext value={renderedAt}>{children}</RenderedAtContext>;
}

/** Now, in milliseconds since 1970, by the server's clock; moves every quarter of a minute. */
export function useNow(): number {
  const renderedAt = useContext(RenderedAtContext);
  return useSyncExternalStore(subscribe, currentTick, () => renderedAt);
}

/** The year that it is: in universal time from the server, in the reader's zone once script is there. */
export function useCurrentYear(): number {
  const renderedAt = useContext(RenderedAtContext);
  return useSyncExternalStore(
    subscribe,
    () => new Date(currentTick()).getFullYear(),
    () => new Date(renderedAt).getUTCFullYear(),
  );
}

const never = () => () => undefined;

/** False while the first drawing must equal the server's (its locale and time zone are not the reader's), true after. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
