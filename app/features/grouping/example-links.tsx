import { TextLink } from "../../ui/text-link.tsx";

/** Links to events that show what a preview is about. */
export function ExampleLinks({ examples }: { examples: ReadonlyArray<{ eventId: string }> }) {
  return (
    <span className="flex flex-wrap gap-x-2">
      {examples.map(({ eventId }) => (
        <TextLink key={eventId} to={`/events/${eventId}`} className="font-mono text-xs">
          {eventId.slice(0, 8)}
        </TextLink>
      ))}
    </span>
  );
}
