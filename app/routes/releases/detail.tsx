import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { changeRelease } from "../../features/releases/change-release.server.ts";
import { getReleasePage, type ReleasePage } from "../../features/releases/get-release-page.server.ts";
import { ReleaseCommitsTab } from "../../features/releases/release-commits-tab.tsx";
import { ReleaseCompareTab } from "../../features/releases/release-compare-tab.tsx";
import { ReleaseDeploysTab } from "../../features/releases/release-deploys-tab.tsx";
import { ReleaseFilesTab } from "../../features/releases/release-files-tab.tsx";
import { ReleaseHeader } from "../../features/releases/release-header.tsx";
import { ReleaseHealthTab } from "../../features/releases/release-health-tab.tsx";
import { ReleaseIssuesTab } from "../../features/releases/release-issues-tab.tsx";
import {
  RELEASE_TABS,
  type ReleaseTab,
  readReleaseParam,
  toReleasePath,
} from "../../features/releases/release-paths.ts";
import { Notice } from "../../ui/notice.tsx";
import { TabLinks } from "../../ui/tab-links.tsx";
import type { Route } from "./+types/detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const page = await getReleasePage(context.get(workspaceContext), {
    version: readReleaseParam(params.version),
    tab: params.tab,
    url,
  });
  if (!page) throw data("There is no such release.", { status: 404 });
  return page;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const release = await workspace.state.releases.getRelease(workspace.scope, readReleaseParam(params.version));
  if (!release) throw data("There is no such release.", { status: 404 });
  const result = await changeRelease(workspace, { release, form: await request.formData(), now: Date.now() });
  if (!result.ok) return data(result, { status: result.status });
  if (result.isDeleted) return redirect("/releases");
  return result;
}

const TAB_LABELS: Record<ReleaseTab, string> = {
  issues: "Issues",
  health: "Health",
  commits: "Commits",
  files: "Files",
  deploys: "Deploys",
  compare: "Compare",
};

export default function ReleaseDetailPage({ loaderData, actionData }: Route.ComponentProps) {
  const { release, content } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const counts: Partial<Record<ReleaseTab, number>> = { commits: release.commitCount, deploys: release.deployCount };
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <ReleaseHeader page={loaderData} />
      {actionData?.ok && <Notice tone="done" title={actionData.message} />}
      {refusal?.field === "page" && <Notice tone="error" title={refusal.message} />}
      <TabLinks
        label="About this release"
        tabs={RELEASE_TABS.map((tab) => ({
          to: toReleasePath(release.version, tab),
          label: TAB_LABELS[tab],
          isCurrent: tab === content.tab,
          ...(counts[tab] === undefined ? {} : { count: counts[tab] }),
        }))}
      />
      <ReleaseTabContent page={loaderData} refusal={refusal} />
    </article>
  );
}

function ReleaseTabContent({
  page: { release, projects, content },
  refusal,
}: {
  page: ReleasePage;
  refusal: { field: string; message: string } | null;
}) {
  const { version } = release;
  switch (content.tab) {
    case "issues":
      return <ReleaseIssuesTab version={version} data={content} />;
    case "health":
      return <ReleaseHealthTab version={version} page={content.health} />;
    case "commits":
      return <ReleaseCommitsTab release={release} page={content.page} commits={content.commits} />;
    case "files":
      return <ReleaseFilesTab version={version} projects={projects} uploads={content.uploads} />;
    case "deploys":
      return <ReleaseDeploysTab version={version} projects={projects} deploys={content.deploys} error={refusal} />;
    case "compare":
      return <ReleaseCompareTab version={version} comparison={content.comparison} />;
  }
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.release.version ?? "Release"} · Culprit` }];
}

export const handle = { section: "releases" };
