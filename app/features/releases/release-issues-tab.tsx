import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { IssueGroup, ReleaseTabData } from "./get-release-page.server.ts";
import { IssueItemList } from "./issue-item-list.tsx";
import { toReleaseIssuesPath, toReleasePath } from "./release-paths.ts";

const GROUPS: Record<IssueGroup, { label: string; none: string; why: string }> = {
  new: { label: "New", none: "No new issues", why: "No issue was seen in this release first." },
  regressed: { label: "Regressed", none: "Nothing came back", why: "No resolved issue happened again in it." },
  seen: { label: "Seen", none: "No events", why: "No event names this release." },
  resolved: { label: "Resolved", none: "Nothing resolved in it", why: "No issue counts as fixed in this release." },
};
/** The store counts seen issues up to 1,000. Of the other groups it lists and counts 100. */
const MAX_COUNTED: Record<IssueGroup, number> = { new: 100, regressed: 100, seen: 1_000, resolved: 100 };

/** Issues that are new, came back, have events, or are fixed in the release. */
export function ReleaseIssuesTab({
  version,
  data: { group, counts, issues },
}: {
  version: string;
  data: Extract<ReleaseTabData, { tab: "issues" }>;
}) {
  const path = toReleasePath(version);
  const { none, why, label } = GROUPS[group];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <TabLinks
          label="Issues of this release"
          tabs={(Object.keys(GROUPS) as IssueGroup[]).map((name) => ({
            to: `${path}?issues=${name}`,
            label: GROUPS[name].label,
            isCurrent: name === group,
            count: counts[name] >= MAX_COUNTED[name] ? `${MAX_COUNTED[name].toLocaleString("en")}+` : counts[name],
          }))}
        />
        <TextLink to={toReleaseIssuesPath("release", version, [])} className="ml-auto text-sm">
          All issues with events of it
        </TextLink>
      </div>
      <Card>
        {issues.length === 0 ? (
          <EmptyState title={none}>{why}</EmptyState>
        ) : (
          <IssueItemList label={`${label} issues`} issues={issues} />
        )}
      </Card>
    </div>
  );
}
