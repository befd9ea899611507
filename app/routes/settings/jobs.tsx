import { workspaceContext } from "../../context.ts";
import { JobList } from "../../features/jobs/job-list.tsx";
import { listJobs } from "../../features/jobs/list-jobs.server.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/jobs.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return { jobs: await listJobs(context.get(workspaceContext).state) };
}

export default function JobsPage({ loaderData }: Route.ComponentProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Background jobs" trail={[{ label: "Settings", to: "/settings" }]} />
      <JobList jobs={loaderData.jobs} />
    </div>
  );
}

export function meta() {
  return [{ title: "Background jobs · Culprit" }];
}

export const handle = { section: "settings" };
