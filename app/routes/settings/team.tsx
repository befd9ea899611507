import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { changeTeamsByForm } from "../../features/people/change-teams-form.server.ts";
import { getTeamPage } from "../../features/people/get-team.server.ts";
import { RotaPanel } from "../../features/people/rota-panel.tsx";
import { DeleteTeam, TeamAccessForm, TeamNameForm } from "../../features/people/team-forms.tsx";
import { Panel } from "../../ui/card.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/team.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const page = await getTeamPage(context.get(workspaceContext), { slug: params.team, now: Date.now() });
  if (!page) throw data("There is no such team.", { status: 404 });
  return page;
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const page = await getTeamPage(workspace, { slug: params.team, now: Date.now() });
  if (!page) throw data("There is no such team.", { status: 404 });
  const { team } = page;
  const form = await request.formData();
  const result = await changeTeamsByForm(workspace, { form, team, now: Date.now() });
  if (!result.ok) return data({ ...result, typed: keepTyped(form) }, { status: result.status });
  if (result.intent === "delete") return redirect("/settings/teams");
  return result.team.slug === team.slug ? result : redirect(`/settings/teams/${result.team.slug}`);
}

export default function TeamPage({ loaderData, actionData }: Route.ComponentProps) {
  const { team, choices, mayChange, rota } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const error = refusal && refusal.field !== null ? { field: refusal.field, message: refusal.message } : null;
  const done = actionData?.ok ? actionData.message : "";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title={team.name}
        trail={[
          { label: "Settings", to: "/settings" },
          { label: "Teams", to: "/settings/teams" },
        ]}
        actions={mayChange && <DeleteTeam team={team} />}
      />
      {done && <Notice tone="done" title={done} />}
      {refusal?.field === null && <Notice tone="error" title={refusal.message} />}
      {mayChange ? (
        <KeptFocus>
          <TeamAccessForm key={`access ${done}`} team={team} choices={choices} />
        </KeptFocus>
      ) : (
        <Panel title="Members and projects" description="Owners, managers, and admins who are in the team change it.">
          <TeamFacts page={loaderData} />
        </Panel>
      )}
      <KeptFocus>
        <RotaPanel
          key={`rota ${done}`}
          rota={rota}
          members={choices.members.filter(({ userId }) => team.memberIds.includes(userId))}
          mayChange={mayChange}
          error={error}
        />
      </KeptFocus>
      {mayChange && (
        <KeptFocus>
          <TeamNameForm key={`name ${done}`} team={team} typed={refusal?.typed ?? null} error={error} />
        </KeptFocus>
      )}
    </div>
  );
}

function TeamFacts({ page: { team, choices } }: { page: Route.ComponentProps["loaderData"] }) {
  const members = choices.members.filter(({ userId }) => team.memberIds.includes(userId)).map(({ name }) => name);
  const projects = choices.projects.filter(({ id }) => team.projectIds.includes(id)).map(({ name }) => name);
  return (
    <div className="wrap-anywhere grid gap-2 text-sm">
      <p>Members: {members.join(", ") || "nobody yet"}.</p>
      <p>Projects: {team.hasAllProjects ? "every project" : projects.join(", ") || "none that you see"}.</p>
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.team.name ?? "Team"} · Culprit` }];
}

export const handle = { section: "settings", prefetch: "static" };
