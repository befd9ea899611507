import { type ComponentType, type RefObject, useEffect, useRef, useState } from "react";
import { importOptional } from "../../navigation/stale-build.ts";
import type { IssuePreviewLayerProps } from "./issue-preview-layer.tsx";
import type { PreviewCause } from "./use-preview-target.ts";

const loadLayer = () => import("./issue-preview-layer.tsx");

/**
 * Shows what an issue of the list is about before it is opened: when a mouse rests on its title, and on Space on its link. The code
 * is loaded with the first title that is pointed at or focused.
 */
export function IssuePreview({
  list,
  environments,
}: {
  list: RefObject<HTMLElement | null>;
  environments: readonly string[];
}) {
  const [Layer, setLayer] = useState<ComponentType<IssuePreviewLayerProps> | null>(null);
  const cause = useRef<PreviewCause>({ isMouse: false, opened: null });
  useEffect(() => {
    const element = list.current;
    if (Layer || !element) return;
    const ending = new AbortController();
    const { signal } = ending;
    let isAsked = false;
    const load = (event: Event) => {
      if (isAsked || !(event.target instanceof Element) || !event.target.closest(".issue-link")) return;
      isAsked = true;
      cause.current.isMouse = event.type === "pointermove";
      // If it cannot be loaded (offline, or a new version is deployed), the list still works.
      void importOptional(loadLayer).then((module) => module && !signal.aborted && setLayer(() => module.default));
    };
    element.addEventListener("pointermove", (event) => event.pointerType === "mouse" && load(event), { signal });
    element.addEventListener("focusin", load, { signal });
    // If Space is pressed before the code has arrived, the card opens when it arrives.
    const ask = (event: KeyboardEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>(".issue-link") : null;
      if (event.key !== " " || !link || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      cause.current.opened = link;
    };
    element.addEventListener("keydown", ask, { signal });
    return () => ending.abort();
  }, [list, Layer]);
  return Layer && <Layer list={list} environments={environments} cause={cause} />;
}
