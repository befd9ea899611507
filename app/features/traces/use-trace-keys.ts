import { useNavigate } from "react-router";
import { useCopyLink } from "../../ui/use-copy-link.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { TRACE_VIEWS, toTracePath } from "./trace-options.ts";

/** Keyboard shortcuts of all views of a trace: numbers for the views, the clock, the search, and the link. */
export function useTraceKeys({ traceId, options, skews }: TracePage): void {
  const navigate = useNavigate();
  const copyLink = useCopyLink();
  const go = (path: string) => void navigate(path, { replace: true, preventScrollReset: true });
  const views = TRACE_VIEWS.map((view, index): [string, () => void] => [
    String(index + 1),
    () => go(toTracePath(traceId, { ...options, view })),
  ]);
  useShortcuts({
    ...Object.fromEntries(views),
    c: () => skews.length > 0 && go(toTracePath(traceId, { ...options, isAsSent: !options.isAsSent })),
    y: copyLink,
  });
}
