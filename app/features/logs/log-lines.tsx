import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { LogLine } from "../../domain/logs/log-line.ts";
import type { LogsPage } from "./get-logs-page.server.ts";
import type { LogFilters } from "./log-filters.ts";
import { showWaiting, toLogList, withNew, withOlder, withPage } from "./log-list.ts";
import { LogTable } from "./log-table.tsx";
import { OlderLines } from "./older-lines.tsx";
import { TailBar } from "./tail-bar.tsx";
import { useLogTail } from "./use-log-tail.ts";
import { useReading } from "./use-reading.ts";

/** Milliseconds. During a live tail, histogram and facets are updated this often. */
const COUNT_AGAIN_MS = 30_000;

/** The rows, which grow at both ends. Remount it when the filters change. `empty` is shown if no line matches. */
export function LogLines({ filters, page, empty }: { filters: LogFilters; page: LogsPage; empty: ReactNode }) {
  const [list, setList] = useState(() => toLogList(page));
  const shownPage = useRef(page);
  useEffect(() => {
    if (shownPage.current === page) return;
    shownPage.current = page;
    setList((before) => withPage(before, page, filters.isLive));
  }, [page, filters.isLive]);
  const frame = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const isPaused = useReading(frame, bar);
  const paused = useRef(isPaused);
  useEffect(() => {
    paused.current = isPaused;
    if (!isPaused) setList(showWaiting);
  }, [isPaused]);
  const onLines = useCallback((lines: readonly LogLine[]) => {
    setList((before) => withNew(before, lines, paused.current));
  }, []);
  const tail = useLogTail(filters, page.tailFrom, onLines);
  useCountsAgain(filters.isLive);
  const onShow = () => {
    setList(showWaiting);
    bar.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <>
      <div ref={bar} className="log-tail">
        <TailBar
          filters={filters}
          tail={tail}
          isPaused={isPaused}
          waitingCount={list.waiting.length}
          droppedCount={list.droppedCount}
          onShow={onShow}
        />
      </div>
      <div ref={frame}>{list.lines.length > 0 ? <LogTable filters={filters} lines={list.lines} /> : empty}</div>
      <OlderLines filters={filters} list={list} onLines={(older) => setList((before) => withOlder(before, older))} />
    </>
  );
}

function useCountsAgain(isLive: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isLive) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, COUNT_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isLive, revalidate]);
}
