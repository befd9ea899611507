import { ExternalLink } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import type { Frame } from "../../domain/event.ts";
import { CODE_HOST_NAMES, type SourceLinks, toSourceUrl } from "../../domain/source-link.ts";
import { toFramePlace, toFramePosition } from "./frame-words.ts";
import type { EventCode } from "./get-event-code.server.ts";

const NOTHING: EventCode = { links: null, revision: null, suspects: [] };
const EventCodeContext = createContext(NOTHING);

/** Provides the event's code to the components inside. Null: nothing is known about it. */
export function EventCodeScope({ code, children }: { code: EventCode | null; children: ReactNode }) {
  return <EventCodeContext value={code ?? NOTHING}>{children}</EventCodeContext>;
}

export function useEventCode(): EventCode {
  return use(EventCodeContext);
}

/** A link to the frame's line in its repository. Absent if it is not known. */
export function SourceLink({ frame }: { frame: Frame }) {
  const { links, revision } = useEventCode();
  const url = toFrameUrl(frame, links, revision);
  if (url === null) return null;
  const host = links ? CODE_HOST_NAMES[links.host] : new URL(url).hostname;
  return (
    <a
      href={url}
      rel="noreferrer"
      className="stack-frame-link"
      aria-label={`Open ${toFramePlace(frame) ?? "the source"}${toFramePosition(frame)} in ${host}`}
      data-tip={`Open in ${host}`}
    >
      <ExternalLink aria-hidden="true" />
    </a>
  );
}

/** Uses the SDK's link if the project's own settings give none. */
function toFrameUrl(frame: Frame, links: SourceLinks | null, revision: string | null): string | null {
  const own = links && frame.in_app ? toSourceUrl(links, frame, revision) : null;
  if (own || !frame.source_link) return own;
  return /^https:\/\//i.test(frame.source_link) && URL.canParse(frame.source_link) ? frame.source_link : null;
}
