import type { ReactNode } from "react";

/** A failure, shown in place of what was asked for: what happened in plain words, and what can be done. */
export function ErrorPanel({
  code,
  title,
  children,
  actions,
  footer,
}: {
  /** A short mark above the title, like the status `404`. It is given for a whole page. Then the title is also the browser's title. */
  code?: string;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** Shown below the actions. */
  footer?: ReactNode;
}) {
  return (
    <section aria-labelledby="error-title" className="error-panel">
      {code && (
        <>
          <title>{`${title} · Culprit`}</title>
          <p className="error-code">{code}</p>
        </>
      )}
      <h1 id="error-title" className="text-xl">
        {title}
      </h1>
      <div className="grid max-w-prose gap-3 text-base text-muted">{children}</div>
      {actions && <div className="flex flex-wrap gap-2 pt-2">{actions}</div>}
      {footer && <div className="pt-6">{footer}</div>}
    </section>
  );
}
