import { data, Link, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { hasRight } from "../../domain/scope.ts";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { changeTeamsByForm } from "../../features/people/change-teams-form.server.ts";
import { TeamNameForm } from "../../features/people/team-forms.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/teams.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { state, scope, user } = context.get(workspaceContext);
  const [teams, projects] = await Promise.all([state.members.listTeams(scope), state.projects.listProjects(scope)]);
  return {
    teams: teams.map(({ slug, name, hasAllProjects, memberIds, projectIds }) => ({
      slug,
      name,
      memberCount: memberIds.length,
      isMine: user !== null && memberIds.includes(user.id),
      projects: hasAllProjects
        ? "every project"
        : projects
            .filter(({ id }) => projectIds.includes(id))
            .map((project) => project.name)
            .join(", "),
    })),
    mayCreate: hasRight(scope, "team:write"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await changeTeamsByForm(context.get(workspaceContext), { form, team: null, now: Date.now() });
  return result.ok
    ? redirect(`/settings/teams/${result.team.slug}`)
    : data({ ...result, typed: keepTyped(form) }, { status: result.status });
}

export default function TeamsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { teams, mayCreate } = loaderData;
  const error =
    actionData && actionData.field !== null ? { field: actionData.field, message: actionData.message } : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Teams" trail={[{ label: "Settings", to: "/settings" }]} />
      {actionData && actionData.field === null && <Notice tone="error" title={actionData.message} />}
      <Panel title="Teams" isFlush>
        {teams.length === 0 && (
          <EmptyState title="No team yet">A team is a group of people who see the same projects.</EmptyState>
        )}
        <ul className="divide-y divide-line">
          {teams.map(({ slug, name, memberCount, isMine, projects }) => (
            <li key={slug} className="grid gap-0.5 px-4 py-2.5">
              <p className="wrap-anywhere text-sm">
                <Link to={`/settings/teams/${slug}`} prefetch="intent" className="font-semibold hover:underline">
                  {name}
                </Link>
              </p>
              <p className="wrap-anywhere text-muted text-xs">
                {memberCount === 1 ? "1 member" : `${memberCount} members`}
                {isMine && ", you are one"} · {projects || "no project that you see"}
              </p>
            </li>
          ))}
        </ul>
      </Panel>
      {mayCreate && <TeamNameForm team={null} typed={actionData?.typed ?? null} error={error} />}
    </div>
  );
}

export function meta() {
  return [{ title: "Teams · Culprit" }];
}

export const handle = { section: "settings", prefetch: "static" };
