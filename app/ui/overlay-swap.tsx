import { type ComponentType, type MouseEvent, type ReactNode, useRef, useState } from "react";

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
  /** What the native panel shows. */
  children: ReactNode;
}) {
  const [Overlay, setOverlay] = useState<ComponentType<Props> | null>(null);
  const details = useRef<HTMLDetailsElement>(null);
  const preload = () => void load().catch(() => undefined);

  if (Overlay) return <Overlay {...overlayProps} />;

  const open = (event: MouseEvent) => {
    event.preventDefault();
    load().then(
      (module) => setOverlay(() => module.default),
      // The chunk did not come (offline, or a new version is deployed): the native panel does the job.
      () => details.current?.setAttribute("open", ""),
    );
  };

  return (
    <details ref={details} className="overlay-swap" data-align={align}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is interactive */}
      <summary
        data-tip={triggerLabel}
        className={triggerClassName}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={open}
      >
        {trigger}
        {triggerLabel && <span className="sr-only">{triggerLabel}</span>}
      </summary>
      <div className="overlay-panel">{children}</div>
    </details>
  );
}
