import { Link } from "react-router";

export interface TabLink {
  to: string;
  label: string;
  isCurrent: boolean;
  /** Shown after the label. */
  count?: number | string;
  /** The words for it in the command palette, put into `data-command`. */
  command?: string;
}

/** Views of one page as links. Each has its own URL, so they are a navigation and not a `tablist`. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className="tab-links">
      <ul>
        {tabs.map((tab) => (
          <li key={tab.label}>
            <Link
              to={tab.to}
              prefetch="intent"
              preventScrollReset
              aria-current={tab.isCurrent ? "page" : undefined}
              data-command={tab.command}
            >
              {tab.label}
              {tab.count !== undefined && <span className="tabular text-faint text-xs">{tab.count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
