import { useEffect, useRef, useState } from "react";
import { type TraceOptions, writeTraceOptions } from "./trace-options.ts";
import type { TraceRow, TraceRowsWindow } from "./trace-rows-view.ts";

/** Rows in one request. Rows are kept in pieces of this size. */
const PIECE = 100;

/** The loaded rows of a waterfall. `show` tells which rows are in view. */
export function useTraceRows(
  traceId: string,
  options: TraceOptions,
  first: TraceRowsWindow,
): { rowAt(row: number): TraceRow | undefined; show(from: number, to: number): void; hasFailed: boolean } {
  const [, setVersion] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  const loaded = useRef(new Map<number, TraceRow>());
  const asked = useRef(new Set<number>());
  const source = useRef<TraceRowsWindow | null>(null);
  // Another answer from the server is another list of rows, because of folding or filters.
  if (source.current !== first) {
    source.current = first;
    loaded.current = new Map(first.rows.map((row, at) => [first.from + at, row]));
    asked.current = new Set();
  }
  const aborter = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for the rows of before is not wanted
  useEffect(() => {
    aborter.current = new AbortController();
    return () => aborter.current?.abort();
  }, [first]);

  const load = async (from: number) => {
    asked.current.add(from);
    const search = new URLSearchParams(writeTraceOptions({ ...options, spanKey: null }));
    search.set("row", String(from));
    try {
      const signal = aborter.current?.signal;
      const answer = await fetch(`/traces/${traceId}/rows?${search}`, signal ? { signal } : {});
      if (!answer.ok) throw new Error(`the rows answered ${answer.status}`);
      const window: TraceRowsWindow = await answer.json();
      for (const [at, row] of window.rows.entries()) loaded.current.set(window.from + at, row);
      setHasFailed(false);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      asked.current.delete(from);
      setHasFailed(true);
    }
    setVersion((version) => version + 1);
  };

  return {
    hasFailed,
    rowAt: (row) => loaded.current.get(row),
    show(from, to) {
      for (let piece = Math.floor(from / PIECE) * PIECE; piece < Math.min(to, first.count); piece += PIECE) {
        if (asked.current.has(piece)) continue;
        const last = Math.min(piece + PIECE, first.count) - 1;
        if (!loaded.current.has(piece) || !loaded.current.has(last)) void load(piece);
      }
    },
  };
}
