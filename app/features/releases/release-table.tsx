import type { Deploy } from "../../domain/release.ts";
import { Badge } from "../../ui/badge.tsx";
import { Count } from "../../ui/count.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ReleaseName } from "../issues/resolved-notice.tsx";
import { PlatformMark } from "../projects/platform-mark.tsx";
import type { ReleaseListItem } from "./list-releases.server.ts";
import { toReleaseIssuesPath, toReleasePath } from "./release-paths.ts";

const MAX_SHOWN_PROJECTS = 4;
const MAX_SHOWN_AUTHORS = 3;

/** A row for each release; on phones what matters less stands behind the sideways scroll. */
export function ReleaseTable({ releases, projectSlugs }: { releases: ReleaseListItem[]; projectSlugs: string[] }) {
  return (
    <Table label="Releases">
      <thead>
        <tr>
          <Th>Version</Th>
          <Th isNumber>New issues</Th>
          <Th isNumber>Events</Th>
          <Th>Last event</Th>
          <Th>Created</Th>
          <Th>Deploys</Th>
          <Th>Commits</Th>
        </tr>
      </thead>
      <tbody>
        {releases.map((release) => (
          <tr key={release.id}>
            <Td className="min-w-44 max-w-80">
              <span className="flex flex-wrap items-center gap-x-2">
                <ReleaseName version={release.version} />
                {release.status === "archived" && <Badge tone="archived">Archived</Badge>}
              </span>
              <Projects marks={release.projectMarks} />
            </Td>
            <Td isNumber>
              {release.newIssueCount === 0 ? (
                <span className="text-faint">0</span>
              ) : (
                <TextLink to={toReleaseIssuesPath("first-release", release.version, projectSlugs)}>
                  <Count
                    value={release.newIssueCount}
                    unit={release.newIssueCount === 1 ? "new issue" : "new issues"}
                  />
                </TextLink>
              )}
            </Td>
            <Td isNumber>
              <Count value={release.eventCount} unit={release.eventCount === 1 ? "event" : "events"} />
            </Td>
            <Td className="whitespace-nowrap">
              {release.lastEventAt === null ? (
                <span className="text-faint">none yet</span>
              ) : (
                <RelativeTime at={release.lastEventAt} />
              )}
            </Td>
            <Td className="whitespace-nowrap">
              <RelativeTime at={release.createdAt} />
            </Td>
            <Td>
              <DeployBadges deploys={release.deploys} />
            </Td>
            <Td className="min-w-32">
              {release.commitCount > 0 && (
                <>
                  <TextLink to={toReleasePath(release.version, "commits")} className="whitespace-nowrap">
                    {release.commitCount.toLocaleString("en")} {release.commitCount === 1 ? "commit" : "commits"}
                  </TextLink>
                  <span className="block text-muted text-xs">{nameAuthors(release.authors)}</span>
                </>
              )}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Projects({ marks }: { marks: ReleaseListItem["projectMarks"] }) {
  const shown = marks.slice(0, MAX_SHOWN_PROJECTS);
  return (
    <span className="flex flex-wrap gap-x-2.5 pt-0.5 text-muted text-xs">
      {shown.map(({ slug, name, family }) => (
        <span key={slug} className="inline-flex items-center gap-1">
          <PlatformMark family={family} className="size-3.5" />
          {name}
        </span>
      ))}
      {marks.length > shown.length && <span>and {marks.length - shown.length} more</span>}
    </span>
  );
}

/** The last deploy to each environment. */
export function DeployBadges({ deploys }: { deploys: readonly Deploy[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {deploys.map((deploy) => (
        <span key={deploy.id} className="inline-flex items-baseline gap-1 whitespace-nowrap text-xs">
          <Badge tone="outline">{deploy.environment}</Badge>
          <RelativeTime at={deploy.finishedAt} form="age" className="text-muted" />
        </span>
      ))}
    </span>
  );
}

/** `Ada, Grace and 3 more`. The store keeps ten. */
export function nameAuthors(authors: ReadonlyArray<{ name: string }>): string {
  const names = authors.slice(0, MAX_SHOWN_AUTHORS).map(({ name }) => name);
  const left = authors.length - names.length;
  return left > 0 ? `${names.join(", ")} and ${left} more` : names.join(", ");
}
