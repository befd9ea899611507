import { useEffect, useRef } from "react";
import type { LiveMessage } from "../../domain/live-message.ts";
import type { LiveEvent } from "./live-event.ts";
import { sayProtocol } from "./say-protocol.ts";

/**
 * What a page is told: messages, that the feed has been opened, that the connection is lost (again at every failed try), and
 * that it is there again, and the page may have missed some (it was hidden, or the connection was lost).
 */
export type LiveListener = (
  event: Exclude<LiveEvent, { kind: "hello" }> | { kind: "opened" } | { kind: "lost" } | { kind: "resumed" },
) => void;

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
/** Another stream of the page brings the feed. */
let isCarried = false;
/** When the newest message that this page knows of was published; milliseconds since 1970, by the server's clock. */
let publishedAt = 0;
/** The latest messages about issues: those that come while a page is on its way are told to nobody. */
let issuesMessages: IssuesMessage[] = [];
/** Longer than data is on its way to a page. */
const KEEP_MS = 10_000;

export type IssuesMessage = Extract<LiveMessage, { kind: "issues" }>;

/**
 * Whether something was published after an instant (milliseconds since 1970, by the server's clock). Data that was read
 * then may lack it, though no listener was told: it came before the page was drawn, or before the feed was open.
 */
export function hasNewsSince(at: number): boolean {
  return publishedAt > at;
}

/** Messages about issues that this page got since the instant, of the last seconds only. */
export function listIssuesMessages(since: number): IssuesMessage[] {
  return issuesMessages.filter(({ at }) => at > since);
}

function hear(event: LiveEvent): void {
  if (event.kind === "hello") {
    publishedAt = Math.max(publishedAt, event.publishedAt ?? 0);
    tell({ kind: wasConnected ? "resumed" : "opened" });
    wasConnected = true;
    return;
  }
  if (event.kind === "issues") issuesMessages = [...listIssuesMessages(event.at - KEEP_MS), event];
  if (event.kind === "issues" || event.kind === "first-event") publishedAt = Math.max(publishedAt, event.at);
  tell(event);
}

function tell(event: Parameters<LiveListener>[0]): void {
  for (const listener of listeners) listener(event);
}

function connect(): void {
  clearTimeout(retryTimer);
  if (isCarried || source || listeners.size === 0 || document.visibilityState === "hidden") return;
  source = new EventSource(`/live?${sayProtocol()}`);
  source.onopen = () => {
    retryMs = FIRST_RETRY_MS;
  };
  source.onmessage = ({ data }) => hear(JSON.parse(data) as LiveEvent);
  source.onerror = () => {
    tell({ kind: "lost" });
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

/**
 * For a stream of the page that brings the feed with it, which then needs no connection of its own: a browser has few. `hear` gives on what it
 * brings, and `end` opens a connection again.
 */
export function carryLive(): { hear(event: LiveEvent): void; lose(): void; end(): void } {
  isCarried = true;
  clearTimeout(retryTimer);
  disconnect();
  return {
    hear,
    lose: () => tell({ kind: "lost" }),
    end() {
      isCarried = false;
      connect();
    },
  };
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
