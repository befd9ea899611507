import { useEffect, useState } from "react";
import type { ViewedList } from "../../domain/saved-view.ts";
import type { ViewCount } from "./count-views.server.ts";

/** The number of items of each view, by its id. They are read after the page is shown. `ids`: the ids of the views, as one text. */
export function useViewCounts(list: ViewedList, ids: string): Record<number, ViewCount> {
  const [counts, setCounts] = useState<Record<number, ViewCount>>({});
  useEffect(() => {
    if (ids === "") return;
    const ending = new AbortController();
    fetch(`/views/counts?list=${list}`, { signal: ending.signal, headers: { accept: "application/json" } })
      .then(async (answer) => {
        if (answer.ok) setCounts(await answer.json());
      })
      // Views work without counts.
      .catch(() => undefined);
    return () => ending.abort();
  }, [list, ids]);
  return counts;
}
