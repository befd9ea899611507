import { type ComponentType, type MouseEvent, type ReactNode, use, useEffect, useRef, useState } from "react";
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
  const interest = useRef<Interest>(undefined);
  // From here the overlay itself hears of Escape: its effects run before this one.
  useEffect(() => {
    if (Overlay) interest.current?.end();
  }, [Overlay]);
  useEffect(() => () => interest.current?.end(), []);

  if (Overlay) return <Overlay {...overlayProps} />;

  const open = async (event: MouseEvent) => {
    event.preventDefault();
    interest.current?.end();
    const watched = watchInterest(details.current, () => setOverlay(null));
    interest.current = watched;
    // While it is loaded ahead, that it is gone is nobody's trouble; now somebody needs it.
    await preloading.current;
    try {
      const module: Awaited<ReturnType<typeof load>> | undefined = await load();
      // Nothing came, and nothing was thrown: the page is being loaded whole, because a new version took its code's place.
      if (watched.settle() && module) setOverlay(() => module.default);
      else watched.end();
    } catch {
      // Offline, or the page was loaded whole for it already: the native panel does the job.
      if (watched.settle()) details.current?.setAttribute("open", "");
      watched.end();
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

interface Interest {
  /** Whether the panel is still wanted. What takes the focus from here on is the panel itself; Escape is watched on. */
  settle(): boolean;
  end(): void;
}

/**
 * Watches whether somebody who has pressed `element` turns to something else before the panel is there (`onLost`): what opens then would
 * take the focus from there. Escape and letters are meant for the panel, and never for the page behind it: a name begins with `m`, which
 * archives there.
 */
function watchInterest(element: HTMLElement | null, onLost: () => void): Interest {
  const watching = new AbortController();
  const waiting = new AbortController();
  let isLost = false;
  const lose = () => {
    isLost = true;
    watching.abort();
    waiting.abort();
    onLost();
  };
  const leave = ({ target }: Event) => {
    if (!(target instanceof Node && element?.contains(target))) lose();
  };
  const takeKeys = (event: KeyboardEvent) => {
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key !== "Escape" && !isLetter) return;
    event.preventDefault();
    if (!isLetter) lose();
  };
  document.addEventListener("pointerdown", leave, { signal: waiting.signal, capture: true });
  // Not any move of the focus: a panel that has just closed gives it back late, and nobody has turned away.
  const leaveByTab = ({ key }: KeyboardEvent) => key === "Tab" && lose();
  document.addEventListener("keydown", leaveByTab, { signal: waiting.signal, capture: true });
  document.addEventListener("keydown", takeKeys, { signal: watching.signal, capture: true });
  return {
    settle() {
      waiting.abort();
      return !isLost;
    },
    end() {
      watching.abort();
      waiting.abort();
    },
  };
}
