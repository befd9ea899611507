import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";

/** How often ages are drawn again. They are shown to the minute, and within the first minute to about this time. */
const TICK_MS = 15_000;
/** If the client's clock differs from the server's by more than this, it is corrected. */
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
  // Everything drawn between two ticks uses the same instant. Otherwise React would find that the store changes while it draws.
  if (Date.now() + (skewMs ?? 0) - tickAt > TICK_MS * 2) tickAt = Date.now() + (skewMs ?? 0);
  return tickAt;
}

/** `renderedAt`: the time of the server's clock when it rendered, in milliseconds since 1970. The first drawing in the browser uses it, too. */
export function ClockProvider({ renderedAt, children }: { renderedAt: number; children: ReactNode }) {
  if (skewMs === undefined && typeof document !== "undefined") {
    const difference = renderedAt - Date.now();
    skewMs = Math.abs(difference) > SKEW_TOLERANCE_MS ? difference : 0;
  }
  return <RenderedAtContext value={renderedAt}>{children}</RenderedAtContext>;
}

/** The present time by the server's clock, in milliseconds since 1970. It changes every quarter of a minute. */
export function useNow(): number {
  const renderedAt = useContext(RenderedAtContext);
  return useSyncExternalStore(subscribe, currentTick, () => renderedAt);
}

/** The present year: from the server in universal time, and once script runs in the reader's zone. */
export function useCurrentYear(): number {
  const renderedAt = useContext(RenderedAtContext);
  return useSyncExternalStore(
    subscribe,
    () => new Date(currentTick()).getFullYear(),
    () => new Date(renderedAt).getUTCFullYear(),
  );
}

const never = () => () => undefined;

/** False for the first drawing, which must equal the server's: the server does not know the reader's locale and time zone. True afterwards. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
