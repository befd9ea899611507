import { Pause, Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { Button } from "../../ui/button.tsx";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import { type LogFilters, toLogsPath } from "./log-filters.ts";
import { LogTime } from "./log-time.tsx";
import { sayLeftOut, sayRate } from "./tail-counts.ts";
import type { LogTailState, TailStatus } from "./use-log-tail.ts";

/** Milliseconds. Screen readers announce new lines this often, not each one. */
const ANNOUNCE_EVERY_MS = 10_000;

const STATUS_WORDS: Readonly<Record<Exclude<TailStatus, "live">, string>> = {
  off: "",
  connecting: "Connecting …",
  lost: "The connection is lost. Trying again: what comes meanwhile is shown then.",
  full: "Too many live tails are open. Close another window: this one tries again by itself.",
  refused: "The server refuses the live tail. Trying again. If it lasts, reload the page: a project may be gone.",
};

/** Switches the live tail, and says what it is doing and what it leaves out. */
export function TailBar({
  filters,
  tail,
  isPaused,
  waitingCount,
  droppedCount,
  onShow,
}: {
  filters: LogFilters;
  tail: LogTailState;
  isPaused: boolean;
  waitingCount: number;
  droppedCount: number;
  onShow: () => void;
}) {
  const navigate = useNavigate();
  const { isLive } = filters;
  const toggle = () => {
    const change = isLive ? { isLive: false } : { isLive: true, window: null };
    void navigate(toLogsPath(filters, { ...change, line: filters.line }), { replace: true, preventScrollReset: true });
  };
  const show = () => (waitingCount > 0 ? onShow() : false);
  useShortcuts({ l: toggle, n: show });
  const { status, counts } = tail;
  const leftOut = sayLeftOut(counts, droppedCount);
  return (
    <>
      <Button
        size="sm"
        className="needs-script"
        variant={isLive ? "primary" : "secondary"}
        icon={isLive ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
        aria-pressed={isLive}
        aria-keyshortcuts="l"
        title="Live tail (l)"
        onClick={toggle}
      >
        Live tail
      </Button>
      {isLive && (
        <>
          <p className="log-tail-state">
            {status === "live"
              ? isPaused
                ? "Paused while you read."
                : "New lines appear here."
              : STATUS_WORDS[status]}
          </p>
          {waitingCount > 0 && (
            <Button size="sm" aria-keyshortcuts="n" title="Show them (n)" onClick={onShow}>
              {waitingCount.toLocaleString("en")} newer {waitingCount === 1 ? "line waits" : "lines wait"}
            </Button>
          )}
          <p className="log-tail-rate">
            {sayRate(counts)}
            {leftOut.length === 0 && counts.missingSince === null && " · nothing left out"}
          </p>
          {(leftOut.length > 0 || counts.missingSince !== null) && (
            <p className="log-tail-left-out">
              {leftOut.join(" ")}
              {counts.missingSince !== null && (
                <>
                  {" "}
                  Lines after <LogTime occurredUs={counts.missingSince * 1000} precision="second" /> may be missing.{" "}
                  <Link to={toLogsPath(filters)} reloadDocument className="underline">
                    Reload
                  </Link>
                </>
              )}
            </p>
          )}
        </>
      )}
      <TailAnnouncer isLive={isLive} matched={counts.recent.reduce((sum, { matched }) => sum + matched, 0)} />
    </>
  );
}

function TailAnnouncer({ isLive, matched }: { isLive: boolean; matched: number }) {
  const [text, setText] = useState("");
  const latest = useRef(matched);
  useEffect(() => {
    latest.current = matched;
  });
  useEffect(() => {
    if (!isLive) return;
    setText("Live tail on");
    const timer = setInterval(() => {
      const count = latest.current;
      setText(count === 0 ? "" : `${count.toLocaleString("en")} new ${count === 1 ? "line" : "lines"} in a minute`);
    }, ANNOUNCE_EVERY_MS);
    return () => {
      clearInterval(timer);
      setText("Live tail off");
    };
  }, [isLive]);
  return (
    <div role="status" className="sr-only">
      {text}
    </div>
  );
}
