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
  children,
}: {
  /** Names the panel, and the trigger where that holds no words. */
  label: string;
  trigger: ReactNode;
  triggerClassName?: string;
  align?: "start" | "end";
  children: ReactNode;
}) {
  return (
    <OverlaySwap
      load={loadPopoverOverlay}
      overlayProps={{ label, trigger, triggerClassName, align, children }}
      triggerClassName={triggerClassName}
      trigger={trigger}
      align={align}
    >
      <div className="p-3">{children}</div>
    </OverlaySwap>
  );
}
