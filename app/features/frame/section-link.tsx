import { Link, useLocation } from "react-router";
import { isInSection, type Section } from "./sections.tsx";

/** A section in the rail, the bar or the sheet. `to` has the filters that go along. */
export function SectionLink({ section, to }: { section: Section; to: string }) {
  const { icon, label, phoneLetters } = section;
  const { pathname } = useLocation();
  return (
    <Link
      to={to}
      prefetch="intent"
      className="rail-item"
      aria-current={isInSection(section, pathname) ? "page" : undefined}
    >
      <span className="rail-icon">{icon}</span>
      <span>
        {label.slice(0, phoneLetters)}
        {phoneLetters && <span className="rail-rest">{label.slice(phoneLetters)}</span>}
      </span>
    </Link>
  );
}
