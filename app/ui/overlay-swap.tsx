import { type ComponentType, type MouseEvent, type ReactNode, use, useRef, useState } from "react";
import { OptionalLoadContext } from "./optional-load.ts";

/**
 * A native `details` that becomes a Radix overlay on the first press: it opens before script has loaded, and the library
 * is fetched only when someone is about to use it (the pointer or the focus arrives).
 */
export function OverlaySwap<Props extends object>({
  load,
  overlayProps,
  triggerLabel,
  triggerClassName,
  trigger,
  align = "start",
  shortcut,
  children,
}: {
  /** Must be the same function on every render: a module-level `() => import(…)`. */
  load: () => Promise<{ default: ComponentType<Props> }>;
  overlayProps: Props;
  /** Accessible name of the trigger, where its content has none. */
  triggerLabel?: string;
  triggerClassName: string;
  trigger: ReactNode;
  align?: "start" | "end";
  /** The key that presses the trigger. */
  shortcut?: string | undefined;
  /** The content of the native panel. */
  children: ReactNode;
}) {
  const [Overlay, setOverlay] = useState<ComponentType<Props> | null>(null);
  const details = useRef<HTMLDetailsElement>(null);
  const loadOptional = use(OptionalLoadContext);
  const preloading = useRef<Promise<unknown>>(undefined);
  const preload = () => {
    preloading.current ??= loadOptional(load);
  };

  if (Overlay) return <Overlay {...overlayProps} />;

  const open = async (event: MouseEvent) => {
    event.preventDefault();
    const isStillWanted = watchInterest(details.current);
    // While it is loaded ahead, that it is gone is nobody's trouble; now somebody needs it.
    await preloading.current;
    try {
      const module: Awaited<ReturnType<typeof load>> | undefined = await load();
      // Nothing came, and nothing was thrown: the page is being loaded whole, because a new version took its code's place.
      if (isStillWanted() && module) setOverlay(() => module.default);
    } catch {
      // Offline, or the page was loaded whole for it already: the native panel does the job.
      if (isStillWanted()) details.current?.setAttribute("open", "");
    }
  };

  return (
    <details ref={details} className="overlay-swap" data-align={align}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is interactive */}
      <summary
        data-tip={triggerLabel}
        data-shortcut={shortcut}
        className={triggerClassName}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={(event) => void open(event)}
      >
        {trigger}
        {triggerLabel && <span className="sr-only">{triggerLabel}</span>}
      </summary>
      <div className="overlay-panel">{children}</div>
    </details>
  );
}

/**
 * Whether somebody who has pressed `element` has turned to something else before its code came: what opens then would take
 * the focus from there. Gives the function that tells, once, and watches until it is asked.
 */
function watchInterest(element: HTMLElement | null): () => boolean {
  const ending = new AbortController();
  const { signal } = ending;
  const leave = ({ target }: Event) => {
    if (!(target instanceof Node && element?.contains(target))) ending.abort();
  };
  document.addEventListener("pointerdown", leave, { signal, capture: true });
  document.addEventListener("focusin", leave, { signal });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && ending.abort(), { signal, capture: true });
  return () => {
    const isWanted = !signal.aborted;
    ending.abort();
    return isWanted;
  };
}
