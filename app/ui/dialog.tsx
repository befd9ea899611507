import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./icon-button.tsx";

/**
 * A native modal dialog, open while it is mounted: focus stays inside, the rest is inert, Escape and a press outside ask
 * to close it (`onClose`), focus goes back to where it came from. For questions like "are you sure", prefer doing it and
 * offering an undo.
 */
export function Dialog({
  title,
  onClose,
  children,
  isTitleHidden = false,
  className,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isTitleHidden?: boolean;
  className?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Only closing gives the focus back; leaving the document does not.
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`dialog ${className ?? ""}`}
      // Asked before the next key is told of, unlike the event `close`: `?` right after Escape finds no dialog any more.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Where the browser asks nothing, such as for a second Escape in a row.
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
