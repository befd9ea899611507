import { Link, NavLink, useLocation } from "react-router";
import { isInSection, type Section } from "./sections.tsx";

/** A link to a section in the rail, the bar or the sheet. `to` includes the filters that go along. */
export function SectionLink({ section, to }: { section: Section; to: string }) {
  const { icon, label, phoneLetters } = section;
  const { pathname } = useLocation();
  const isOnOtherPage = isInSection(section, pathname) && !isInSection({ ...section, others: [] }, pathname);
  const words = (
    <>
      <span className="rail-icon">{icon}</span>
      <span>
        {label.slice(0, phoneLetters)}
        {phoneLetters && <span className="rail-rest">{label.slice(phoneLetters)}</span>}
      </span>
    </>
  );
  // The router knows only one path of a section, and marks the link while its page is on the way.
  return isOnOtherPage ? (
    <Link to={to} prefetch="intent" className="rail-item" aria-current="page">
      {words}
    </Link>
  ) : (
    <NavLink to={to} prefetch="intent" className="rail-item">
      {words}
    </NavLink>
  );
}
