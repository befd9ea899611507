import { useEventDoctor } from "../source-maps/doctor-context.tsx";
import type { EventPage } from "./get-event-page.server.ts";
import { listSections } from "./list-sections.ts";
import { useEventCode } from "./source-link.tsx";

/** Links to the sections of the page: a list beside the event if there is room, otherwise a row above it. */
export function EventSections({ page, isList = false }: { page: EventPage; isList?: boolean }) {
  const { suspects } = useEventCode();
  const doctor = useEventDoctor();
  if (!page.stored) return null;
  const sections = listSections(page.stored.event, {
    ...page,
    suspects,
    sourceMapFiles: doctor?.findings.length ?? 0,
  });
  return (
    <nav aria-label="Sections of this event" className={isList ? "event-contents" : "event-jumps"}>
      {sections.map(({ id, label }) => (
        <a key={id} href={`#${id}`}>
          {label}
        </a>
      ))}
    </nav>
  );
}
