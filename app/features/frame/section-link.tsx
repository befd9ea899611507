import { NavLink } from "react-router";
import type { Section } from "./sections.tsx";

/** A section in the rail, the bar or the sheet. `to` has the filters that go along. */
export function SectionLink({ section: { icon, label, phoneLetters }, to }: { section: Section; to: string }) {
  return (
    <NavLink to={to} prefetch="intent" className="rail-item">
      <span className="rail-icon">{icon}</span>
      <span>
        {label.slice(0, phoneLetters)}
        {phoneLetters && <span className="rail-rest">{label.slice(phoneLetters)}</span>}
      </span>
    </NavLink>
  );
}
