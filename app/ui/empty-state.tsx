import type { ReactNode } from "react";

/** Says why a list is empty, and what to do about it. */
export function EmptyState({
  picture,
  title,
  children,
  actions,
}: {
  picture?: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-14 text-center">
      {picture && <div className="pb-2 text-faint [&_svg]:h-24 [&_svg]:w-auto">{picture}</div>}
      <h2 className="text-lg">{title}</h2>
      {children && <div className="max-w-prose text-muted text-sm">{children}</div>}
      {actions && <div className="flex flex-wrap justify-center gap-2 pt-3">{actions}</div>}
    </div>
  );
}
