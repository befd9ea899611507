import { useLocation, useNavigate } from "react-router";
import { readTraceOptions, type TraceOptions, toTracePath } from "./trace-options.ts";

/** Of a history entry that the details of a span made: the address before it. */
interface OpenedState {
  openedFrom: string;
}

/**
 * Changes what the address says of the trace. The first span that is opened makes a history entry, so that Back closes its details. Any other change
 * takes the place of the entry: nobody wants to go back through each span or zoom.
 */
export function useTraceNavigation(traceId: string, options: TraceOptions): (change: Partial<TraceOptions>) => void {
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  return (change) => {
    const path = toTracePath(traceId, { ...options, ...change });
    if (options.spanKey === null && change.spanKey) {
      const opened: OpenedState = { openedFrom: toTracePath(traceId, options) };
      // The address may be ahead of what is drawn, where somebody is quick: then its entry is there.
      const { spanKey } = readTraceOptions(new URLSearchParams(window.location.search));
      void navigate(path, { replace: spanKey !== null, preventScrollReset: true, state: opened });
    } else if (change.spanKey === null && readOpenedFrom(state) === path) {
      void navigate(-1);
    } else void navigate(path, { replace: true, preventScrollReset: true, state });
  };
}

function readOpenedFrom(state: unknown): string | null {
  return (state as Partial<OpenedState> | null)?.openedFrom ?? null;
}
