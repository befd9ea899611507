import { type ReactNode, useLayoutEffect, useRef } from "react";
import { CopyField } from "./copy-field.tsx";
import { Notice } from "./notice.tsx";

/** Shows a new secret, which is never shown again. It takes the focus, because the button that made it may be a screen further down. */
export function SecretNotice({
  title,
  label,
  secret,
  children,
}: {
  title: string;
  label: string;
  secret: string;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  // It takes the focus while it is drawn. A moment later somebody may have opened something, which would close. Something that was opened
  // before keeps the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each secret
  useLayoutEffect(() => {
    if (!document.activeElement?.closest(".overlay-panel")) place.current?.focus();
  }, [secret]);
  return (
    <div ref={place} tabIndex={-1} className="scroll-mt-4 rounded-md">
      <Notice tone="done" title={title}>
        <div className="grid gap-3 pt-2">
          <CopyField label={label} value={secret} />
          {children}
        </div>
      </Notice>
    </div>
  );
}
