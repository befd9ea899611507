import { useEffect, useRef, useState } from "react";
import type { LogLine } from "../../domain/logs/log-line.ts";
import { sayProtocol } from "../live/say-protocol.ts";
import { carryLive } from "../live/use-live.ts";
import { type LogFilters, toLinesPath } from "./log-filters.ts";
import { addNews, NO_COUNTS, type TailCounts } from "./tail-counts.ts";
import type { PageTailEvent, TailEvent } from "./tail-event.ts";

/** `refused`: the server answered with something other than lines, and the browser has given up. This hook tries again. */
export type TailStatus = "off" | "connecting" | "live" | "lost" | "full" | "refused";

/** Milliseconds. Hidden pages close their connection, but not for a short look at another tab: a browser opens at most six per server. */
const HIDE_AFTER_MS = 5_000;

/** Milliseconds to wait after a refusal, which a proxy sends while the server starts. The time doubles with each further one. */
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

export interface LogTailState {
  status: TailStatus;
  counts: TailCounts;
}

const OFF: LogTailState = { status: "off", counts: NO_COUNTS };

/**
 * Receives new lines that match the filters, in the order of their arrival, while `filters.isLive`. `from`: the position where the
 * page ends, see tail-position.ts. After a lost connection it continues there: the server sends the lines that came meanwhile.
 */
export function useLogTail(
  filters: LogFilters,
  from: string,
  onLines: (lines: readonly LogLine[]) => void,
): LogTailState {
  const [state, setState] = useState(OFF);
  const latest = useRef({ from, onLines });
  useEffect(() => {
    latest.current = { from, onLines };
  });
  const path = toLinesPath("/logs/tail", filters, { feed: "1" });
  const { isLive } = filters;
  useEffect(() => {
    if (!isLive) return;
    const live = carryLive();
    let source: EventSource | null = null;
    let place = latest.current.from;
    let hideTimer: ReturnType<typeof setTimeout> | undefined;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;
    let retryMs = FIRST_RETRY_MS;
    /** The server has refused this connection, which is why it ends. */
    let isFull = false;
    const setStatus = (status: TailStatus) => setState((before) => ({ ...before, status }));
    const hear = (event: TailEvent) => {
      if (event.kind === "full") {
        isFull = true;
        live.hear(event);
        return setStatus("full");
      }
      setStatus("live");
      latest.current.onLines(event.kind === "filled" ? event.lines.toReversed() : event.lines);
      if (event.kind === "news") {
        setState((before) => ({ ...before, counts: addNews(before.counts, event, Date.now()) }));
      } else if (!event.isAll) {
        const missing = { missingSince: event.since };
        setState((before) => ({ ...before, counts: { ...before.counts, ...missing } }));
      }
    };
    const connect = () => {
      clearTimeout(retryTimer);
      if (source || document.visibilityState === "hidden") return;
      source = new EventSource(`${path}&from=${place}&${sayProtocol()}`);
      source.onopen = () => {
        retryMs = FIRST_RETRY_MS;
        setState((before) => (before.status === "full" ? before : { ...before, status: "live" }));
      };
      source.onmessage = ({ data, lastEventId }) => {
        if (lastEventId) place = lastEventId;
        const event = JSON.parse(data) as PageTailEvent;
        if (event.kind === "filled" || event.kind === "news" || event.kind === "full") hear(event);
        else live.hear(event);
      };
      source.onerror = () => {
        live.lose();
        const isGivenUp = source?.readyState === EventSource.CLOSED;
        setStatus(isGivenUp ? "refused" : isFull ? "full" : "lost");
        isFull = false;
        if (!isGivenUp) return;
        disconnect();
        retryTimer = setTimeout(connect, retryMs);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      };
    };
    const disconnect = () => {
      source?.close();
      source = null;
    };
    const onVisibilityChange = () => {
      clearTimeout(hideTimer);
      if (document.visibilityState === "hidden") hideTimer = setTimeout(disconnect, HIDE_AFTER_MS);
      else connect();
    };
    setState({ status: "connecting", counts: NO_COUNTS });
    connect();
    document.addEventListener("visibilitychange", onVisibilityChange);
    window.addEventListener("pagehide", disconnect);
    window.addEventListener("pageshow", connect);
    return () => {
      clearTimeout(hideTimer);
      clearTimeout(retryTimer);
      document.removeEventListener("visibilitychange", onVisibilityChange);
      window.removeEventListener("pagehide", disconnect);
      window.removeEventListener("pageshow", connect);
      disconnect();
      live.end();
      setState(OFF);
    };
  }, [isLive, path]);
  return state;
}
