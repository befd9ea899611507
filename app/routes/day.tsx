import { workspaceContext } from "../context.ts";
import { DayList } from "../features/day/day-list.tsx";
import { getDay } from "../features/day/get-day.server.ts";
import { PageHeader } from "../ui/page-header.tsx";
import type { Route } from "./+types/day.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { parts: await getDay(context.get(workspaceContext), Date.now()) };
}

/** A person's day: what is theirs, what nobody has, and what changed. */
export default function DayPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="My day" />
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
