import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { withOwnLast } from "../../domain/project.ts";
import { createCronByForm } from "../../features/crons/change-cron.server.ts";
import { CronForm } from "../../features/crons/cron-form.tsx";
import { toCronPath } from "../../features/crons/cron-words.ts";
import { previewSchedule } from "../../features/crons/schedule-words.server.ts";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { Panel } from "../../ui/card.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/new.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const { state, scope } = context.get(workspaceContext);
  const projects = withOwnLast(await state.projects.listProjects(scope));
  const preview = previewSchedule({ schedule: { type: "crontab", value: "0 2 * * *" }, timezone: "UTC" }, Date.now());
  return { projects: projects.map(({ slug, name }) => ({ slug, name })), preview };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await createCronByForm(context.get(workspaceContext), { form, now: Date.now() });
  if (!result.ok) return data({ ...result, typed: keepTyped(form) }, { status: result.status });
  if (result.monitor) throw redirect(toCronPath(result.monitor.project, result.monitor.slug));
  return result;
}

export default function NewCronPage({ loaderData, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  const refusal = actionData && !actionData.ok ? actionData : null;
  return (
    <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)]">
      <PageHeader
        title="New monitor"
        trail={[{ label: "Monitors", to: "/crons" }]}
        description="It waits for its first check-in. From then on it says when a run does not come."
      />
      <Panel title="What is watched">
        <CronForm
          intent="create"
          submit="Make the monitor"
          projects={loaderData.projects}
          values={{ name: "", slug: "", config: null }}
          preview={loaderData.preview}
          error={refusal}
          typed={refusal?.typed ?? null}
        />
      </Panel>
    </div>
  );
}

export function meta() {
  return [{ title: "New monitor · Culprit" }];
}

export const handle = { section: "crons" };
