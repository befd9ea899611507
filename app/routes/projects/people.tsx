import { workspaceContext } from "../../context.ts";
import { ROLE_WORDS } from "../../features/people/access-words.ts";
import { listProjectPeople } from "../../features/people/list-project-people.server.ts";
import { WhyPanel } from "../../features/people/why-panel.tsx";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { Panel } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/people.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const { id, slug, name, firstEventAt } = await requireProject(workspace, params.slug);
  return { project: { slug, name, firstEventAt }, ...(await listProjectPeople(workspace, { id, name })) };
}

export default function ProjectPeoplePage({ loaderData }: Route.ComponentProps) {
  const { project, people, teams, mayChange } = loaderData;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-page gap-4">
      <PageHeader title="People" trail={toProjectTrail(project)} />
      <ProjectTabs project={project} current="people" />
      <Panel title="Teams of this project">
        {teams.length === 0 ? (
          <p className="text-muted text-sm">No team has it.</p>
        ) : (
          <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {teams.map(({ slug, name, memberCount }) => (
              <li key={slug}>
                <TextLink to={`/settings/teams/${slug}`}>{name}</TextLink>{" "}
                <span className="text-muted text-xs">{memberCount === 1 ? "1 member" : `${memberCount} members`}</span>
              </li>
            ))}
          </ul>
        )}
        {mayChange && (
          <p className="pt-2 text-muted text-xs">
            A team gets it on the team’s page, under <TextLink to="/settings/teams">Teams</TextLink>. One person gets it
            on their page, under <TextLink to="/settings/members">Members</TextLink>.
          </p>
        )}
      </Panel>
      <WhyPanel
        title={`Who sees ${project.name}, and why`}
        reasons={people.map(({ userId, name, role, sentences }) => ({
          key: userId,
          name,
          to: `/settings/members/${userId}`,
          isSeen: true,
          sentences,
          detail: <span className="text-muted text-xs">{ROLE_WORDS[role].label}</span>,
        }))}
        empty="Nobody sees it."
      />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `People of ${loaderData?.project.name ?? "the project"} · Culprit` }];
}

export const handle = { section: "projects", prefetch: "static" };
