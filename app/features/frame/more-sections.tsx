import { Ellipsis } from "lucide-react";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { SectionLink } from "./section-link.tsx";
import { isInSection, SECTIONS } from "./sections.tsx";

/** The sections for which the bar of a phone has no room, in a sheet above it. It opens without script. */
export function MoreSections({ toSection }: { toSection: (to: string) => string }) {
  const sheet = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  const hidden = SECTIONS.filter(({ isBehindMore }) => isBehindMore);
  const isCurrent = hidden.some((section) => isInSection(section, pathname));

  // biome-ignore lint/correctness/useExhaustiveDependencies: each way to another page closes it.
  useEffect(() => {
    if (sheet.current?.matches(":popover-open")) sheet.current.hidePopover();
  }, [pathname]);

  return (
    <li className="rail-more">
      <button
        type="button"
        className="rail-item"
        popoverTarget="more-sections"
        aria-current={isCurrent ? "true" : undefined}
      >
        <span className="rail-icon">
          <Ellipsis aria-hidden="true" />
        </span>
        More
      </button>
      <ul id="more-sections" ref={sheet} popover="auto" className="rail-sheet" aria-label="More sections">
        {hidden.map((section) => (
          <li key={section.to}>
            <SectionLink section={section} to={toSection(section.to)} />
          </li>
        ))}
      </ul>
    </li>
  );
}
