import { type ReactNode, useLayoutEffect, useRef } from "react";
import { CopyField } from "./copy-field.tsx";
import { Notice } from "./notice.tsx";

/** A new secret, the only time that it is shown. Takes the focus: the button that made it may be a screen further down. */
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
  // As it is drawn: a moment later, somebody may have opened something, which would close again. What was opened before it keeps the focus.
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
