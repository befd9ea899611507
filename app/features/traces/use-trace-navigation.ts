import { useLocation, useNavigate, useNavigation } from "react-router";
import { readTraceOptions, type TraceOptions, toTracePath } from "./trace-options.ts";

/** The state of a history entry that was made by opening a span. `openedFrom`: the address before it. */
interface OpenedState {
  openedFrom: string;
}

/**
 * Returns a function that changes the options in the address. The first opened span adds a history entry, so that Back closes its
 * details. All other changes replace the entry: nobody wants to go back through each span or zoom.
 */
export function useTraceNavigation(traceId: string, options: TraceOptions): (change: Partial<TraceOptions>) => void {
  const navigate = useNavigate();
  const here = useLocation();
  const state: unknown = (useNavigation().location ?? here).state;
  return (change) => {
    const path = toTracePath(traceId, { ...options, ...change });
    if (options.spanKey === null && change.spanKey) {
      const opened: OpenedState = { openedFrom: toTracePath(traceId, options) };
      // After quick clicks, the address may be newer than what is drawn. Then the entry for the span already exists.
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
