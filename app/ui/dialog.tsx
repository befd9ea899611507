import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./icon-button.tsx";

/**
 * A native modal dialog: focus stays inside, the rest is inert, Escape and a press outside close it, focus goes back to
 * where it came from. For questions like "are you sure", prefer doing it and offering an undo.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  isTitleHidden = false,
  className,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  isTitleHidden?: boolean;
  className?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (isOpen && !element.open) element.showModal();
    if (!isOpen && element.open) element.close();
  }, [isOpen]);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={`dialog ${className ?? ""}`}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {isOpen && (
        <div className="dialog-body">
          <div className={isTitleHidden ? "sr-only" : "flex items-center gap-2 border-line border-b py-2 pr-2 pl-4"}>
            <h2 id={titleId} className="mr-auto text-base">
              {title}
            </h2>
            {!isTitleHidden && <IconButton label="Close" icon={<X />} onClick={onClose} />}
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
