import { type ReactNode, useEffect, useId } from "react";
import { useNavigation } from "react-router";
import { Button, type ButtonProps } from "./button.tsx";

/**
 * A button that asks before something that cannot be undone, also without script: a native popover with what will be gone, a way back,
 * and `children`, the button that does it. Escape, a press outside and the answer, a refusal too, close it.
 */
export function ConfirmDialog({
  title,
  explanation,
  children,
  trigger,
  back = "Keep",
  id: givenId,
}: {
  title: string;
  explanation: ReactNode;
  children: ReactNode;
  /** Of the button that opens it; null: a button elsewhere does, whose `popoverTarget` is `id`. */
  trigger: ButtonProps | null;
  /** Says what pressing the way back does. */
  back?: string;
  id?: string;
}) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    const dialog = document.getElementById(id);
    // Not one that is opened later: what was on its way then is the answer to something else.
    if (!isIdle && dialog?.matches(":popover-open")) return () => dialog.hidePopover();
  }, [isIdle, id]);
  return (
    <>
      {trigger && <Button {...trigger} popoverTarget={id} aria-haspopup="dialog" />}
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-labelledby={`${id}-title`}
        className="dialog confirm-dialog"
        onToggle={({ currentTarget, newState }) => {
          if (newState === "open") currentTarget.querySelector("button")?.focus();
        }}
      >
        <div className="grid gap-3 p-4 text-left">
          <h2 id={`${id}-title`} className="text-base">
            {title}
          </h2>
          <div className="grid gap-2 text-sm">{explanation}</div>
          <div className="flex flex-wrap justify-end gap-2">
            <Button popoverTarget={id} popoverTargetAction="hide">
              {back}
            </Button>
            {children}
          </div>
        </div>
      </div>
    </>
  );
}
