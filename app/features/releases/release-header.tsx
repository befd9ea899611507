import { Archive, ArchiveRestore, ArrowLeft, ArrowRight, CircleCheck, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, LinkButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Count } from "../../ui/count.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { IfMay } from "../frame/use-may.tsx";
import { toShortName } from "../issues/resolution-words.ts";
import { CopyPageButton } from "../markdown/copy-page-button.tsx";
import { ProjectMark } from "../projects/project-mark.tsx";
import { sayReleaseSourceMaps } from "../source-maps/say-release-source-maps.ts";
import { toSourceMapsPath } from "../source-maps/source-map-paths.ts";
import type { ReleasePage } from "./get-release-page.server.ts";
import { toReleasePath } from "./release-paths.ts";
import { nameAuthors } from "./release-table.tsx";
import { toWebUrl } from "./to-web-url.ts";

/** Characters. Longer versions are set in a smaller size, because the header shows all of them. */
const LONG_VERSION = 60;

/** The title, the figures and the actions of the release. */
export function ReleaseHeader({ page: { release, sums, projects, previous, next } }: { page: ReleasePage }) {
  const path = toReleasePath(release.version);
  return (
    <div className="grid gap-4 [&>header]:pb-0">
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-x-2">
            <span
              className={`wrap-anywhere font-mono ${release.version.length > LONG_VERSION ? "text-md" : ""}`}
              title={release.version}
            >
              {toShortName(release.version)}
            </span>
            <CopyButton text={release.version} isIcon label="Copy version" />
            <CopyPageButton
              path={`/releases/${encodeURIComponent(release.version)}`}
              label="Copy release as Markdown"
            />
            {release.status === "archived" && <Badge tone="archived">Archived</Badge>}
          </span>
        }
        trail={[{ label: "Releases", to: "/releases" }]}
        actions={
          <>
            {previous !== null && (
              <LinkButton to={toReleasePath(previous)} size="sm" rel="prev" icon={<ArrowLeft aria-hidden="true" />}>
                <span className="sr-only">Previous release: </span>
                <ShortVersion version={previous} />
              </LinkButton>
            )}
            {next !== null && (
              <LinkButton to={toReleasePath(next)} size="sm" rel="next">
                <span className="sr-only">Next release: </span>
                <ShortVersion version={next} />
                <ArrowRight aria-hidden="true" />
              </LinkButton>
            )}
          </>
        }
      />
      <dl className="flex flex-wrap gap-x-8 gap-y-3 text-sm">
        <Fact name="Events">
          <Count value={sums.eventCount} unit={sums.eventCount === 1 ? "event" : "events"} />
        </Fact>
        <Fact name="New issues">
          <Count value={sums.newIssueCount} unit={sums.newIssueCount === 1 ? "new issue" : "new issues"} />
        </Fact>
        <Fact name="Last event">{sums.lastEventAt === null ? "none yet" : <RelativeTime at={sums.lastEventAt} />}</Fact>
        <Fact name="Created">
          <AbsoluteTime at={release.createdAt} />
        </Fact>
        <Fact name="Released">
          {release.releasedAt === null ? "not finalized" : <AbsoluteTime at={release.releasedAt} />}
        </Fact>
        {release.startedAt !== null && (
          <Fact name="Started">
            <AbsoluteTime at={release.startedAt} />
          </Fact>
        )}
        {release.ref !== null && (
          <Fact name="Ref">
            <span className="wrap-anywhere font-mono">{release.ref}</span>
          </Fact>
        )}
        {release.url !== null && (
          <Fact name="Page">
            <WebLink url={release.url} />
          </Fact>
        )}
        {release.authors.length > 0 && (
          <Fact name="Authors">
            <span className="line-clamp-2">{nameAuthors(release.authors)}</span>
          </Fact>
        )}
        <Fact name={projects.length === 1 ? "Project" : "Projects"}>
          {projects.length === 0 ? (
            "none"
          ) : (
            <span className="flex flex-wrap gap-x-3">
              {projects.map((project) => (
                <span key={project.id} className="inline-flex min-h-6 items-center gap-1.5">
                  <ProjectMark platform={project.platform} className="size-4" />
                  <TextLink to={`/releases?project=${project.slug}`}>{project.name}</TextLink>
                </span>
              ))}
            </span>
          )}
        </Fact>
        <SourceMapsFact version={release.version} projects={projects} />
      </dl>
      <IfMay right="project:releases">
        <div className="flex flex-wrap items-start gap-2">
          <Form method="post" action={path} className="flex flex-wrap gap-2">
            {release.releasedAt === null && (
              <Button type="submit" name="intent" value="finalize" size="sm" icon={<CircleCheck aria-hidden="true" />}>
                Finalize
              </Button>
            )}
            {release.status === "open" ? (
              <Button type="submit" name="intent" value="archive" size="sm" icon={<Archive aria-hidden="true" />}>
                Archive
              </Button>
            ) : (
              <Button
                type="submit"
                name="intent"
                value="restore"
                size="sm"
                icon={<ArchiveRestore aria-hidden="true" />}
              >
                Restore
              </Button>
            )}
          </Form>
          {sums.eventCount === 0 && (
            <Disclosure summary={<span className="text-sm">Delete</span>}>
              <Form method="post" action={path} className="flex flex-wrap items-center gap-2 pt-2">
                <Button
                  type="submit"
                  name="intent"
                  value="delete"
                  variant="danger"
                  size="sm"
                  icon={<Trash2 aria-hidden="true" />}
                >
                  Delete this release
                </Button>
                <p className="text-muted text-xs">This deletes its commits and deploys, too. You cannot undo it.</p>
              </Form>
            </Disclosure>
          )}
        </div>
      </IfMay>
    </div>
  );
}

/** The state of the source maps for each project, with a link to the page that helps. */
function SourceMapsFact({ version, projects }: { version: string; projects: ReleasePage["projects"] }) {
  const asked = projects.filter(({ sourceMaps }) => sourceMaps !== null);
  if (asked.length === 0) return null;
  return (
    <Fact name="Source maps">
      <ul className="flex flex-wrap gap-x-4">
        {asked.map(({ id, slug, name, sourceMaps }) => (
          <li key={id} className="min-h-6">
            {projects.length > 1 && <span className="text-muted">{name}: </span>}
            <TextLink to={toSourceMapsPath(slug, version)}>{sourceMaps && sayReleaseSourceMaps(sourceMaps)}</TextLink>
          </li>
        ))}
      </ul>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 gap-0.5">
      <dt className="text-muted text-xs">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ShortVersion({ version }: { version: string }) {
  return (
    <span className="max-w-48 truncate font-mono" title={version}>
      {toShortName(version)}
    </span>
  );
}

/** A link if the text is a web address, otherwise the text. */
export function WebLink({ url }: { url: string }) {
  const address = toWebUrl(url);
  if (address === null) return <span className="wrap-anywhere font-mono">{url}</span>;
  return (
    <a href={address} rel="noreferrer" className="text-link wrap-anywhere">
      {address.replace(/^https?:\/\//, "")}
    </a>
  );
}
