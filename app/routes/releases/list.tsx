import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { workspaceContext } from "../../context.ts";
import { BUILT_IN_SLUG } from "../../domain/project.ts";
import { LeftOutReleasesNotice } from "../../features/releases/left-out-releases-notice.tsx";
import { listReleasePage } from "../../features/releases/list-releases.server.ts";
import { ReleaseFilterBar } from "../../features/releases/release-filter-bar.tsx";
import { parseReleaseFilters, toReleaseListPath } from "../../features/releases/release-filters.ts";
import { ReleaseListEmpty } from "../../features/releases/release-list-empty.tsx";
import { ReleaseTable } from "../../features/releases/release-table.tsx";
import { Card } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Pagination } from "../../ui/pagination.tsx";
import type { Route } from "./+types/list.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const filters = parseReleaseFilters(url.searchParams);
  return listReleasePage(context.get(workspaceContext), { filters, now: Date.now() });
}

export default function ReleaseListPage({ loaderData }: Route.ComponentProps) {
  const { releases, projects, nextCursor, previousCursor, problems, leftOut, hasAny } = loaderData;
  const [params] = useSearchParams();
  const filters = useMemo(() => parseReleaseFilters(params), [params]);
  // Culprit's own release exists as soon as somebody has opened a page.
  const isOwnAlone =
    params.size === 0 &&
    releases.length > 0 &&
    releases.every(({ projectMarks }) => projectMarks.every(({ slug }) => slug === BUILT_IN_SLUG));
  return (
    <>
      <PageHeader title="Releases" />
      {hasAny && <ReleaseFilterBar filters={filters} projects={projects} />}
      {problems.length > 0 && (
        <Notice tone="warning" className="mb-2">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      <LeftOutReleasesNotice days={leftOut} />
      <Card className="overflow-clip">
        {releases.length === 0 ? (
          <ReleaseListEmpty hasAny={hasAny} />
        ) : (
          <ReleaseTable releases={releases} projectSlugs={filters.projectSlugs} />
        )}
        {isOwnAlone && <ReleaseListEmpty hasAny={false} />}
      </Card>
      {releases.length > 0 && (
        <Pagination
          label="Pages of releases"
          previousTo={previousCursor && toReleaseListPath(filters, { cursor: previousCursor })}
          nextTo={nextCursor && toReleaseListPath(filters, { cursor: nextCursor })}
        />
      )}
    </>
  );
}

export function meta() {
  return [{ title: "Releases · Culprit" }];
}

export const handle = { section: "releases" };
