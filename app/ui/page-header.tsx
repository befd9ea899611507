import type { ReactNode } from "react";
import { Link } from "react-router";

/** The top of a page: its place, its name and its actions. Each page has one. It holds the `h1`. */
export function PageHeader({
  title,
  trail = [],
  description,
  actions,
}: {
  title: ReactNode;
  /** The way from the section down to the parent of this page. */
  trail?: ReadonlyArray<{ label: string; to: string }>;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="flex flex-wrap items-end gap-x-4 gap-y-2 pb-4">
      <div className="mr-auto min-w-0">
        {trail.length > 0 && (
          <nav aria-label="Breadcrumb" className="pb-0.5">
            <ol className="flex flex-wrap items-center gap-1.5 text-muted text-xs">
              {trail.map((step) => (
                <li key={step.to} className="after:pl-1.5 after:text-faint after:content-['/']">
                  <Link to={step.to} prefetch="intent" className="hover:text-ink hover:underline">
                    {step.label}
                  </Link>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <h1 className="text-xl">{title}</h1>
        {description && <p className="max-w-prose pt-1 text-muted text-sm">{description}</p>}
      </div>
      {actions && <div className="flex min-w-0 max-w-full flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
