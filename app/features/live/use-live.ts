import { useEffect, useRef } from "react";
import type { LiveEvent } from "./live-event.ts";

/**
 * What a page is told: messages, that the feed has been opened, and that it may have missed some (it was hidden, or the
 * connection was lost).
 */
export type LiveListener = (event: LiveEvent | { kind: "opened" } | { kind: "resumed" }) => void;

/** An endpoint that refuses (signed out, server restarting) is asked again after this, twice as long each time. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** Hidden pages give their connection back, but not for a glance at another tab. */
const HIDE_AFTER_MS = 5_000;

const listeners = new Set<LiveListener>();
let source: EventSource | null = null;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let hideTimer: ReturnType<typeof setTimeout> | undefined;
let retryMs = FIRST_RETRY_MS;
let wasConnected = false;

function tell(event: Parameters<LiveListener>[0]): void {
  for (const listener of listeners) listener(event);
}

function connect(): void {
  clearTimeout(retryTimer);
  if (source || listeners.size === 0 || document.visibilityState === "hidden") return;
  source = new EventSource("/live");
  source.onopen = () => {
    retryMs = FIRST_RETRY_MS;
    tell({ kind: wasConnected ? "resumed" : "opened" });
    wasConnected = true;
  };
  source.onmessage = ({ data }) => tell(JSON.parse(data) as LiveEvent);
  source.onerror = () => {
    // While it is connecting, the browser tries again by itself; when it was refused, it has given up.
    if (source?.readyState !== EventSource.CLOSED) return;
    disconnect();
    retryTimer = setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  };
}

function disconnect(): void {
  source?.close();
  source = null;
}

function onVisibilityChange(): void {
  clearTimeout(hideTimer);
  // A browser opens six connections to a server at most (HTTP/1.1): hidden tabs must not hold them.
  if (document.visibilityState === "hidden") hideTimer = setTimeout(disconnect, HIDE_AFTER_MS);
  else connect();
}

/** Listens to the server's live feed. All parts of a page share one connection, which rests while the page is hidden. */
export function useLive(listener: LiveListener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const own: LiveListener = (event) => latest.current(event);
    listeners.add(own);
    if (listeners.size === 1) {
      document.addEventListener("visibilitychange", onVisibilityChange);
      window.addEventListener("pageshow", connect);
      window.addEventListener("pagehide", disconnect);
    }
    connect();
    return () => {
      listeners.delete(own);
      if (listeners.size > 0) return;
      document.removeEventListener("visibilitychange", onVisibilityChange);
      window.removeEventListener("pageshow", connect);
      window.removeEventListener("pagehide", disconnect);
      clearTimeout(retryTimer);
      clearTimeout(hideTimer);
      disconnect();
      wasConnected = false;
    };
  }, []);
}
