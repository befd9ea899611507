import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { LinkButton } from "./button.tsx";

/**
 * Pages by cursor: links to the previous and the next page. If one of them is missing, a word that looks like a button stands there. A list
 * of one page has neither.
 */
export function Pagination({
  previousTo,
  nextTo,
  label = "Pages",
  children,
}: {
  previousTo: string | null;
  nextTo: string | null;
  label?: string;
  /** Shown at the left of the links: how many items there are. */
  children?: ReactNode;
}) {
  if (previousTo === null && nextTo === null)
    return children && <p className="tabular py-3 text-muted text-xs">{children}</p>;
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-end gap-2 py-3">
      {children && <p className="tabular mr-auto text-muted text-xs">{children}</p>}
      <PageLink to={previousTo} label="Previous" icon={<ChevronLeft aria-hidden="true" />} rel="prev" />
      <PageLink to={nextTo} label="Next" icon={<ChevronRight aria-hidden="true" />} rel="next" />
    </nav>
  );
}

function PageLink({
  to,
  label,
  icon,
  rel,
}: {
  to: string | null;
  label: string;
  icon: ReactNode;
  rel: "prev" | "next";
}) {
  if (to === null) {
    return (
      <span className="inline-flex h-7 items-center gap-1.5 px-2.5 text-faint text-xs [&_svg]:size-3.5">
        {rel === "prev" && icon}
        {label}
        {rel === "next" && icon}
      </span>
    );
  }
  return (
    <LinkButton to={to} size="sm" rel={rel}>
      {rel === "prev" && icon}
      {label}
      {rel === "next" && icon}
    </LinkButton>
  );
}
