import { Link, useLocation } from "react-router";
import { isSettingsPage, SETTINGS_PAGES } from "./settings-pages.ts";
import { useRights } from "./use-may.tsx";
import "./settings-nav.css";

/** The pages of the settings that the viewer may open. They are beside the page, or above it if there is no room. */
export function SettingsNav() {
  const { pathname } = useLocation();
  const may = useRights();
  const groups = SETTINGS_PAGES.map(({ group, pages }) => ({
    group,
    pages: pages.filter(({ right }) => right === undefined || may(right)),
  })).filter(({ pages }) => pages.length > 0);
  return (
    <nav aria-label="Settings" className="settings-nav">
      {groups.map(({ group, pages }) => (
        <section key={group} aria-label={group}>
          <p aria-hidden="true">{group}</p>
          <ul>
            {pages.map((page) => (
              <li key={page.to}>
                <Link to={page.to} prefetch="intent" aria-current={isSettingsPage(page, pathname) ? "page" : undefined}>
                  {page.label}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
