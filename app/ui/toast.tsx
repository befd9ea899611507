import { Check, TriangleAlert, X } from "lucide-react";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";

/** How long a toast stays while nobody points at it: long enough to read twelve words and press undo. Milliseconds. */
const TOAST_MS = 8_000;

export interface Toast {
  message: string;
  tone?: "done" | "failed";
  /** At most one action. The key `u` presses it. */
  action?: { label: string; onSelect: () => void };
}

type ShowToast = (toast: Toast) => void;

const ToastContext = createContext<ShowToast>(() => undefined);

/** Returns the function that shows a toast. A new toast replaces the one before. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Holds the place where toasts appear and are announced. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [current, setCurrent] = useState<(Toast & { id: number }) | null>(null);
  const nextId = useRef(0);
  const show = useCallback<ShowToast>((toast) => setCurrent({ ...toast, id: nextId.current++ }), []);
  const hide = useCallback(() => setCurrent(null), []);
  return (
    <ToastContext value={show}>
      {children}
      <div role="status" aria-live="polite" className="toast-place">
        {current && <TimedToast key={current.id} toast={current} onEnd={hide} />}
      </div>
    </ToastContext>
  );
}

function TimedToast({ toast, onEnd }: { toast: Toast; onEnd: () => void }) {
  const [isHeld, setIsHeld] = useState(false);
  const { action } = toast;
  const act = useMemo(
    () =>
      action &&
      (() => {
        onEnd();
        action.onSelect();
      }),
    [action, onEnd],
  );

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(onEnd, TOAST_MS);
    return () => clearTimeout(timer);
  }, [isHeld, onEnd]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it from going away
    <div
      className="toast-timed"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <ToastBar tone={toast.tone} message={toast.message}>
        {action && act && (
          <Button size="sm" variant="primary" data-shortcut="u" onClick={act}>
            {action.label}
          </Button>
        )}
        <button type="button" aria-label="Dismiss" className="toast-dismiss" onClick={onEnd}>
          <X aria-hidden="true" className="toast-dismiss-icon" />
        </button>
      </ToastBar>
    </div>
  );
}

/** The look of a toast. It is also used for the answer to a form that was posted without script, with a form in `children`. */
export function ToastBar({
  message,
  tone = "done",
  children,
}: {
  message: string;
  tone?: Toast["tone"];
  children?: ReactNode;
}) {
  return (
    <div className={classNames("toast", tone === "failed" && "toast-failed")}>
      {tone === "failed" ? (
        <TriangleAlert aria-hidden="true" className="toast-sign" />
      ) : (
        <Check aria-hidden="true" className="toast-sign" />
      )}
      <p className="min-w-0 flex-1">{message}</p>
      {children}
    </div>
  );
}
