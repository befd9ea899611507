import { type ReactNode, useEffect, useId } from "react";
import { useNavigation } from "react-router";
import { Button, type ButtonProps } from "./button.tsx";

/**
 * A button that asks before it does something that cannot be undone. It works without script: it opens a native popover that says what will
 * be gone, with a way back and `children`, the button that does it. Escape, a press outside, a focus that leaves it, and the answer of the
 * server (also a refusal) close it.
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
  /** The button that opens the dialog. Null: a button elsewhere opens it by `popoverTarget`, with this dialog's `id`. */
  trigger: ButtonProps | null;
  /** The label of the way back. */
  back?: string;
  id?: string;
}) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const isIdle = useNavigation().state === "idle";
  useEffect(() => {
    const dialog = document.getElementById(id);
    // Closes only a dialog that was open when the request began. For one that is opened later, the answer belongs to something else.
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
        onBlur={({ currentTarget, relatedTarget }) => {
          // Nothing gets the focus when the window loses it, or when the button that was pressed is disabled.
          if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover();
        }}
      >
        <div className="grid gap-3 p-4 text-left">
          <h2 id={`${id}-title`} className="text-base">
            {title}
          </h2>
          <div className="grid gap-2 text-sm">{explanation}</div>
          <div className="flex flex-wrap justify-end gap-2">
            <Button popoverTarget={id}>{back}</Button>
            {children}
          </div>
        </div>
      </div>
    </>
  );
}
