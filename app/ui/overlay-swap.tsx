import { type ComponentType, type MouseEvent, type ReactNode, use, useEffect, useRef, useState } from "react";
import { OptionalLoadContext } from "./optional-load.ts";

/**
 * A native `details` that becomes a Radix overlay on the first press. It opens before script has loaded. The library is fetched only when
 * somebody is about to use it, because the pointer or the focus arrives.
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
  /** It must be the same function on every render, so use a module-level `() => import(…)`. */
  load: () => Promise<{ default: ComponentType<Props> }>;
  overlayProps: Props;
  /** The accessible name of the trigger, if its content has none. */
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
  // From now on the overlay itself handles Escape: its effects run before this one.
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
    // While the code was loaded ahead, nobody needed to know that it is gone. Now somebody needs it.
    await preloading.current;
    try {
      const module = await load();
      if (watched.settle()) setOverlay(() => module.default);
      else watched.end();
    } catch {
      // The server is away, or a new version has replaced the code. The native panel is used.
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
  /** Whether the panel is still wanted. From now on only the panel itself takes the focus. Escape is still watched. */
  settle(): boolean;
  end(): void;
}

/**
 * Watches whether somebody who has pressed `element` turns to something else before the panel is there. Then it calls `onLost`, because a
 * panel that opens now would take the focus away. Escape and letters are meant for the panel, and never for the page behind it. For
 * example, a name that begins with `m` must not archive an issue there.
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
  // Other moves of the focus do not count: a panel that has just closed gives the focus back late, and nobody has turned away.
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
