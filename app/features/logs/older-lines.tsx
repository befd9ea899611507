import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useIsHydrated } from "../../ui/clock.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { type LogFilters, toLinesPath, toLogsPath } from "./log-filters.ts";
import { type LinesPage, type LogList, MAX_LISTED } from "./log-list.ts";
import { printPlace } from "./log-place.ts";

/** Distance in pixels at which older rows are loaded before they are visible. */
const AHEAD = "800px";

/**
 * Loads older lines when the end of the list comes near. If a search takes long, it continues on a click. Without script, or after
 * very many rows, older lines are a page of their own.
 */
export function OlderLines({
  filters,
  list: { lines, next, readUpTo },
  onLines,
}: {
  filters: LogFilters;
  list: LogList;
  onLines: (page: LinesPage) => void;
}) {
  const [state, setState] = useState<"idle" | "loading" | "failed">("idle");
  const place = next && printPlace(next);
  const isFull = lines.length >= MAX_LISTED;
  const load = async () => {
    if (place === null || state === "loading") return;
    setState("loading");
    try {
      const response = await fetch(toLinesPath("/logs/lines", filters, { before: place }));
      if (!response.ok) throw new Error(`status ${response.status}`);
      onLines((await response.json()) as LinesPage);
      setState("idle");
    } catch {
      setState("failed");
    }
  };
  const end = useRef<HTMLParagraphElement>(null);
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  const isHydrated = useIsHydrated();
  const isLoadedAhead = place !== null && readUpTo === null && !isFull && state !== "failed";
  // biome-ignore lint/correctness/useExhaustiveDependencies: an end that stays in sight is observed again for each page
  useEffect(() => {
    const element = end.current;
    if (!element || !isLoadedAhead) return;
    // A busy page gets several changes at once. Only the last one counts.
    const observer = new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && void latest.current(), {
      rootMargin: AHEAD,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isLoadedAhead, place]);
  if (next === null) return null;
  const onClick = (event: MouseEvent) => {
    if (isFull || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void load();
  };
  return (
    <p ref={end} className="log-more" aria-busy={state === "loading"}>
      {readUpTo !== null && `Searched back to ${new Date(readUpTo).toISOString().slice(0, 19).replace("T", " ")} UTC. `}
      {state === "failed" && "Older lines could not be loaded. "}
      {isFull && `${MAX_LISTED.toLocaleString("en")} lines are shown. `}
      {/* Not a stop of Tab: Tab would scroll to what loads by itself, and lose the focus there. From the rows, Tab goes to the open line. */}
      <TextLink
        to={toLogsPath(filters, { before: next })}
        prefetch="none"
        tabIndex={isHydrated && isLoadedAhead ? -1 : undefined}
        onClick={onClick}
      >
        {state === "loading" ? "Loading …" : readUpTo === null ? "Older lines" : "Continue the search"}
      </TextLink>
    </p>
  );
}
