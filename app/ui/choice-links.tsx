import { Link } from "react-router";

export interface ChoiceLink {
  to: string;
  label: string;
  isCurrent: boolean;
}

/** A choice of one of several, as links that change a part of the page. The scroll position stays, and the history gets no new entry. */
export function ChoiceLinks({ label, links }: { label: string; links: readonly ChoiceLink[] }) {
  return (
    <nav aria-label={label}>
      <ul className="flex flex-wrap gap-1.5">
        {links.map((link) => (
          <li key={link.to}>
            <Link
              to={link.to}
              replace
              preventScrollReset
              aria-current={link.isCurrent ? "true" : undefined}
              className="inline-flex h-7 items-center rounded-md border border-line-strong px-2.5 text-muted text-xs hover:bg-hover hover:text-ink aria-[current=true]:border-mark-edge aria-[current=true]:bg-mark aria-[current=true]:font-semibold aria-[current=true]:text-on-mark pointer-coarse:h-9"
            >
              {link.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
