import { workspaceContext } from "../context.ts";
import { DayList } from "../features/day/day-list.tsx";
import { getDay } from "../features/day/get-day.server.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import type { Route } from "./+types/day.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const seesNoProject = !workspace.seesEverything && workspace.scope.projectIds.length === 0;
  return { parts: seesNoProject ? [] : await getDay(workspace, Date.now()) };
}

/** A person's day: their own issues, those without an assignee, and what changed. */
export default function DayPage({ loaderData }: Route.ComponentProps) {
  useRowKeys(".day-issues > li");
  return (
    <>
      <PageHeader title="My day" />
      {loaderData.parts.length === 0 && (
        <EmptyState title="You see no project yet">
          Your account is in no team that has one. Ask an owner or a manager to add you to a team.
        </EmptyState>
      )}
      <div className="day">
        {loaderData.parts.map((part) => (
          <DayList key={part.key} part={part} />
        ))}
      </div>
    </>
  );
}

export function meta() {
  return [{ title: "My day · Culprit" }];
}

export const handle = { section: "issues" };
