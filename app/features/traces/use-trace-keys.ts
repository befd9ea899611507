import { useCopyLink } from "../../ui/use-copy-link.ts";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import type { TracePage } from "./get-trace-page.server.ts";
import { TRACE_VIEWS } from "./trace-options.ts";
import { useTraceNavigation } from "./use-trace-navigation.ts";

/** Keyboard shortcuts of all views of a trace: numbers for the views, the clock, the search, and the link. */
export function useTraceKeys({ traceId, options, skews }: TracePage): void {
  const go = useTraceNavigation(traceId, options);
  const copyLink = useCopyLink();
  const views = TRACE_VIEWS.map((view, index): [string, () => void] => [String(index + 1), () => go({ view })]);
  useShortcuts({
    ...Object.fromEntries(views),
    c: () => skews.length > 0 && go({ isAsSent: !options.isAsSent }),
    y: copyLink,
  });
}
