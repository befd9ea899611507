import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./icon-button.tsx";

/**
 * A native modal dialog that is open while it is mounted. The focus stays inside, and the rest of the page is inert. Escape and a press
 * outside call `onClose`. When it closes, the focus goes back to where it was. For questions like "are you sure", prefer to do it and to
 * offer an undo.
 */
export function Dialog({
  title,
  onClose,
  children,
  isTitleHidden = false,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isTitleHidden?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Only closing gives the focus back. Removing the element from the document does not.
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className="dialog"
      // `cancel` comes before the next key, but `close` does not. So if `?` follows right after Escape, the dialog is gone by then.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // For cases in which the browser sends no `cancel`, like a second Escape in a row.
      onClose={(event) => {
        if (!event.currentTarget.open) onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="dialog-body">
        <div className={isTitleHidden ? "sr-only" : "flex items-center gap-2 border-line border-b py-2 pr-2 pl-4"}>
          <h2 id={titleId} className="mr-auto text-base">
            {title}
          </h2>
          {!isTitleHidden && <IconButton label="Close" icon={<X />} onClick={onClose} />}
        </div>
        {children}
      </div>
    </dialog>
  );
}
