import { type RefObject, useEffect } from "react";
import { useFetcher, useRevalidator } from "react-router";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { formatCount } from "../../ui/count.tsx";
import { useReading } from "../logs/use-reading.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { isArriving, toPause } from "./look-again.ts";
import { toTracePath } from "./trace-options.ts";

/**
 * Says that spans of the trace are still arriving, and shows them. While somebody reads the trace, new spans would move the rows:
 * they wait for a click.
 */
export function TraceArriving({
  page,
  top,
  rows,
}: {
  page: TracePage;
  top: RefObject<HTMLElement | null>;
  /** The part of the page that new spans change. */
  rows: RefObject<HTMLElement | null>;
}) {
  const fetcher = useFetcher<TracePage>();
  const { revalidate } = useRevalidator();
  const isReading = useReading(rows, top);
  const newest = fetcher.data?.traceId === page.traceId ? fetcher.data : page;
  const pauseMs = toPause(newest.arrivedAgoMs);
  const waiting = newest.spanCount - page.spanCount;
  const hasNews = waiting > 0 || newest.errors.length > page.errors.length || newest.logCount > page.logCount;

  const path = toTracePath(page.traceId, page.options);
  const { load } = fetcher;
  useEffect(() => {
    if (pauseMs === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void load(path);
    }, pauseMs);
    return () => clearInterval(timer);
  }, [pauseMs, load, path]);
  useEffect(() => {
    if (hasNews && !isReading) void revalidate();
  }, [hasNews, isReading, revalidate]);

  if (!isArriving(newest.arrivedAgoMs) && !hasNews) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3 text-muted text-sm">
      <Badge tone="info">Still arriving</Badge>
      <p role="status">
        {hasNews && isReading
          ? waiting > 0
            ? `${formatCount(waiting)} more ${waiting === 1 ? "span" : "spans"} came. They wait while you read.`
            : "More came. It waits while you read."
          : "Spans came in the last seconds: the trace may grow, and is shown again when it does."}
      </p>
      {hasNews && isReading && (
        <Button size="sm" onClick={() => void revalidate()}>
          Show now
        </Button>
      )}
    </div>
  );
}
