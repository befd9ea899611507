/**
 * How long a prefetched page with live data stays usable. Source: the time for which Next.js 14 and older kept dynamic
 * pages in its client cache; long enough for a hover that becomes a click, short enough that nobody acts on old counts.
 */
const LIVE_PREFETCH_SECONDS = 30;

/**
 * The same for pages that rarely change (settings, documentation). Source: Next.js's `staleTimes.static`, and how long
 * Chromium itself reuses a prefetched resource.
 */
export const STATIC_PREFETCH_SECONDS = 300;

/**
 * How long a navigation may wait for the next page's code before the browser is sent to load that page whole. Source:
 * the `MS_MAX_IDLE_DELAY` of Next.js's route loader, which took it from web.dev: a time to interactive below 3.8 s is good.
 */
export const CODE_LIMIT_MS = 3_800;

/**
 * How long a navigation may wait for data before the page is loaded whole. Ours: twice the 5 s after which the server
 * gives up on a stream (`streamTimeout` in entry.server.tsx), so that whatever the server still answers is shown.
 */
export const DATA_LIMIT_MS = 10_000;

/**
 * The time after which a pending bar is shown. Source: Nielsen, "Response Times: The 3 Important Limits" (1993): up to 0.1 s feels
 * instantaneous, and an indicator would only flicker.
 */
export const PENDING_BAR_AFTER_MS = 100;

/** How long a prefetch of a route may be used. The route says it with `export const handle = { prefetch: "static" }`. */
export type PrefetchKind = "live" | "static";

export const PREFETCH_SECONDS: Record<PrefetchKind, number> = {
  live: LIVE_PREFETCH_SECONDS,
  static: STATIC_PREFETCH_SECONDS,
};
