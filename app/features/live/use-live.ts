import { useEffect, useRef } from "react";
import type { LiveMessage } from "../../domain/live-message.ts";
import type { LiveEvent } from "./live-event.ts";
import { sayProtocol } from "./say-protocol.ts";

/**
 * Gets messages and news of the connection: `opened`; `lost`, again after every failed try; and `resumed` when it is back and the page may
 * have missed messages, because it was hidden or the connection was lost.
 */
export type LiveListener = (
  event: Exclude<LiveEvent, { kind: "hello" }> | { kind: "opened" } | { kind: "lost" } | { kind: "resumed" },
) => void;

/** The pause after a refusal (signed out, or the server restarts). Each next pause is twice as long. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;
/** Hidden pages close their connection, but not for a short look at another tab. */
const HIDE_AFTER_MS = 5_000;

const listeners = new Set<LiveListener>();
let source: EventSource | null = null;
let retryTimer: ReturnType<typeof setTimeout> | undefined;
let hideTimer: ReturnType<typeof setTimeout> | undefined;
let retryMs = FIRST_RETRY_MS;
let wasConnected = false;
/** True while another stream of the page brings the feed. */
let isCarried = false;
/** When the newest message that this page knows was published. Milliseconds since 1970, by the server's clock. */
let publishedAt = 0;
/** The latest messages about issues. They are kept because those that come while a page is on its way reach no listener. */
let issuesMessages: IssuesMessage[] = [];
/** Longer than the data of a page is on its way. */
const KEEP_MS = 10_000;

export type IssuesMessage = Extract<LiveMessage, { kind: "issues" }>;

/**
 * Whether something was published after an instant (milliseconds since 1970, by the server's clock). Data that was read then may lack it,
 * although no listener was told: it came before the page was drawn, or before the feed was open.
 */
export function hasNewsSince(at: number): boolean {
  return publishedAt > at;
}

/** Messages about issues that this page got since the instant. Only those of the last seconds are kept. */
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
    // While the source is connecting, the browser tries again by itself. After a refusal it has given up.
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
 * For a stream of the page that also brings the feed, so that the feed needs no connection of its own: a browser has few. `hear` passes on
 * the messages, and `end` opens a connection for the feed again.
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
  // A browser opens at most six connections to a server (HTTP/1.1), so hidden tabs must not hold them.
  if (document.visibilityState === "hidden") hideTimer = setTimeout(disconnect, HIDE_AFTER_MS);
  else connect();
}

/** Listens to the server's live feed. All parts of a page share one connection, which is closed while the page is hidden. */
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
