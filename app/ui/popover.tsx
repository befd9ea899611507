import type { ReactNode } from "react";
import { buttonClassNames } from "./button.tsx";
import { OverlaySwap } from "./overlay-swap.tsx";

const loadPopoverOverlay = () => import("./popover-overlay.tsx");

/** A button that opens a small panel of anything: a form of filters, an explanation. For lists of actions take `Menu`. */
export function Popover({
  label,
  trigger,
  triggerClassName = buttonClassNames("secondary"),
  align = "start",
  shortcut,
  children,
}: {
  /** Names the panel, and the trigger where that holds no words. */
  label: string;
  trigger: ReactNode;
  triggerClassName?: string;
  align?: "start" | "end";
  /** The key that presses the trigger: its `data-shortcut`. */
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
