import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Panel } from "../../ui/card.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TimelinePanel } from "../timeline/timeline-panel.tsx";
import type { EventPage } from "./get-event-page.server.ts";
import { TagList } from "./tag-list.tsx";
import { toRowUser } from "./user-words.ts";

/** The facts that an event's row still has after its payload was deleted, or if that cannot be read. */
export function KeptFacts({
  page: { row, isDamaged },
  issueId,
  search,
}: {
  page: EventPage;
  issueId: number;
  search: URLSearchParams;
}) {
  return (
    <>
      {isDamaged ? (
        <Notice tone="warning" title="The details of this event are damaged">
          The file with the details cannot be read. The facts below were stored elsewhere.
        </Notice>
      ) : (
        <Notice tone="info" title="Only the facts of this event are left">
          The details were older than the retention of this server and were deleted. The event still counts.
        </Notice>
      )}
      <TimelinePanel event={{ eventId: row.eventId, title: row.title, level: row.level }} />
      <Panel title="Facts">
        <KeyValueList
          pairs={[
            { key: "title", value: row.title },
            { key: "release", value: row.release ?? "none" },
            { key: "environment", value: row.environment ?? "none" },
            { key: "received", value: <AbsoluteTime at={row.receivedAt} /> },
          ]}
        />
      </Panel>
      {row.tags.length > 0 && (
        <Panel title="Tags">
          <TagList tags={row.tags} user={toRowUser(row).words} issueId={issueId} search={search} />
        </Panel>
      )}
    </>
  );
}
