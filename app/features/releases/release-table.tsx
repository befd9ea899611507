import type { Deploy } from "../../domain/release.ts";
import { Badge } from "../../ui/badge.tsx";
import { Count } from "../../ui/count.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { Table, TableHead, Td, Th } from "../../ui/table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { ReleaseName } from "../issues/resolved-notice.tsx";
import { PlatformMark } from "../projects/platform-mark.tsx";
import { formatShare, HEALTH_STATES } from "./health-words.ts";
import type { ReleaseListItem } from "./list-releases.server.ts";
import { toReleaseIssuesPath, toReleasePath } from "./release-paths.ts";

/** Hides columns that do not fit on phones. */
const WIDE = "max-sm:hidden";
const MAX_SHOWN_PROJECTS = 4;
const MAX_SHOWN_AUTHORS = 3;
/** Characters. */
const MAX_AUTHOR_LENGTH = 40;

/** A row for each release. On phones, most of it is below the version. */
export function ReleaseTable({ releases, projectSlugs }: { releases: ReleaseListItem[]; projectSlugs: string[] }) {
  return (
    <Table label="Releases">
      <TableHead>
        <Th>Version</Th>
        <Th isNumber>Crash-free</Th>
        <Th isNumber className={WIDE}>
          Adoption
        </Th>
        <Th isNumber>New issues</Th>
        <Th isNumber>Events</Th>
        <Th className={WIDE}>Last event</Th>
        <Th className={WIDE}>Created</Th>
        <Th className={WIDE}>Deploys</Th>
        <Th className={WIDE}>Commits</Th>
      </TableHead>
      <tbody>
        {releases.map((release) => (
          <tr key={release.id}>
            <Td className="min-w-36 sm:min-w-44 sm:max-w-80">
              <span className="flex flex-wrap items-center gap-x-2">
                <ReleaseName version={release.version} className="line-clamp-3" />
                {release.status === "archived" && <Badge tone="archived">Archived</Badge>}
              </span>
              <Projects marks={release.projectMarks} />
              <div className="grid gap-1 pt-1 sm:hidden">
                <p className="text-muted text-xs">
                  Created <RelativeTime at={release.createdAt} />
                  {release.releasedAt !== null && (
                    <>
                      , released <RelativeTime at={release.releasedAt} />
                    </>
                  )}
                  {release.lastEventAt !== null && (
                    <>
                      , last event <RelativeTime at={release.lastEventAt} />
                    </>
                  )}
                </p>
                {release.deploys.length > 0 && <DeployBadges deploys={release.deploys} />}
                <Commits release={release} />
              </div>
            </Td>
            <Td isNumber>
              <CrashFree release={release} />
            </Td>
            <Td isNumber className={WIDE}>
              {release.health ? formatShare(release.health.adoption) : <span className="text-faint">—</span>}
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
            <Td className={`${WIDE} whitespace-nowrap`}>
              {release.lastEventAt === null ? (
                <span className="text-faint">none yet</span>
              ) : (
                <RelativeTime at={release.lastEventAt} />
              )}
            </Td>
            <Td className={`${WIDE} whitespace-nowrap`}>
              <RelativeTime at={release.createdAt} />
              {release.releasedAt !== null && (
                <span className="block text-muted text-xs">
                  released <RelativeTime at={release.releasedAt} />
                </span>
              )}
            </Td>
            <Td className={`${WIDE} max-w-96`}>
              <DeployBadges deploys={release.deploys} />
            </Td>
            <Td className={`${WIDE} min-w-32 max-w-80`}>
              <Commits release={release} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** The share of sessions without a crash, and whether it meets the goals of its projects. */
function CrashFree({ release: { version, health } }: { release: ReleaseListItem }) {
  if (health === null) return <span className="text-faint">—</span>;
  const { state, crashFree } = health.health;
  const { label, tone } = HEALTH_STATES[state];
  return (
    <span className="grid justify-items-end gap-0.5">
      <TextLink to={toReleasePath(version, "health")} className="whitespace-nowrap">
        {formatShare(crashFree)}
      </TextLink>
      {(state === "below-floor" || state === "below-target") && <Badge tone={tone}>{label}</Badge>}
    </span>
  );
}

function Commits({ release }: { release: ReleaseListItem }) {
  if (release.commitCount === 0) return null;
  return (
    <div>
      <TextLink to={toReleasePath(release.version, "commits")} className="whitespace-nowrap">
        {release.commitCount.toLocaleString("en")} {release.commitCount === 1 ? "commit" : "commits"}
      </TextLink>
      <span className="line-clamp-2 text-muted text-xs">{nameAuthors(release.authors)}</span>
    </div>
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
function DeployBadges({ deploys }: { deploys: readonly Deploy[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {deploys.map((deploy) => (
        <span key={deploy.id} className="inline-flex min-w-0 items-baseline gap-1 whitespace-nowrap text-xs">
          <EnvironmentBadge name={deploy.environment} />
          <RelativeTime at={deploy.finishedAt} form="age" className="text-muted" />
        </span>
      ))}
    </span>
  );
}

/** A long name is cut. The tooltip has all of it. */
export function EnvironmentBadge({ name }: { name: string }) {
  return (
    <Badge tone="outline" title={name} className="min-w-0 max-w-36 sm:max-w-56">
      <span className="truncate">{name}</span>
    </Badge>
  );
}

/** Names of authors: `Ada, Grace and 3 more`. The store keeps ten. */
export function nameAuthors(authors: ReadonlyArray<{ name: string }>): string {
  const names = authors
    .slice(0, MAX_SHOWN_AUTHORS)
    .map(({ name }) => (name.length > MAX_AUTHOR_LENGTH ? `${name.slice(0, MAX_AUTHOR_LENGTH - 1)}…` : name));
  const left = authors.length - names.length;
  return left > 0 ? `${names.join(", ")} and ${left} more` : names.join(", ");
}
