import type { ReactNode } from "react";
import { buttonClassNames } from "./button.tsx";
import { OverlaySwap } from "./overlay-swap.tsx";

const loadPopoverOverlay = () => import("./popover-overlay.tsx");

/** A button that opens a small panel with any content, like a form of filters or an explanation. For lists of actions use `Menu`. */
export function Popover({
  label,
  trigger,
  triggerClassName = buttonClassNames("secondary"),
  align = "start",
  shortcut,
  children,
}: {
  /** The name of the panel. If the trigger has no words, also its name. */
  label: string;
  trigger: ReactNode;
  triggerClassName?: string;
  align?: "start" | "end";
  /** The key that presses the trigger, put into its `data-shortcut`. */
  shortcut?: string;
  children: ReactNode;
}) {
  return (
    <OverlaySwap
      load={loadPopoverOverlay}
      overlayProps={{ label, trigger, triggerClassName, align, shortcut, children }}
      triggerClassName={triggerClassName}
      trigger={trigger}
      align={align}
      shortcut={shortcut}
    >
      <div className="p-3">{children}</div>
    </OverlaySwap>
  );
}
