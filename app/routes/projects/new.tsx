import { data, Form, redirect, useNavigation } from "react-router";
import { workspaceContext } from "../../context.ts";
import { toTyped } from "../../features/input/read-form.ts";
import { createProject, listOwnTeams } from "../../features/projects/create-project.server.ts";
import { PlatformField } from "../../features/projects/platform-field.tsx";
import { parseProjectForm } from "../../features/projects/project-form.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/new.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  return { teams: await listOwnTeams(workspace), seesEverything: workspace.seesEverything };
}

export async function action({ context, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const form = await request.formData();
  const read = parseProjectForm(form);
  if (!read.ok) return data({ form: toTyped(form), errors: read.errors }, { status: 400 });
  const teamSlug = String(form.get("team") ?? "") || null;
  const created = await createProject(workspace, { ...read.fields, teamSlug, at: Date.now() });
  if (!created.ok) {
    const errors = { [created.field]: created.message };
    return data({ form: toTyped(form), errors }, { status: created.status });
  }
  return redirect(`/projects/${created.project.slug}/set-up`);
}

export default function NewProjectPage({ loaderData, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  const form = actionData?.form;
  const errors: { name?: string; slug?: string; platform?: string; team?: string } = actionData?.errors ?? {};
  const isPending = useNavigation().state !== "idle";
  return (
    <div className="max-w-form">
      <PageHeader
        title="New project"
        trail={[{ label: "Projects", to: "/projects" }]}
        description="Usually one deployable application. It gets a DSN of its own."
      />
      <Card className="p-5">
        <Form method="post" className="grid gap-4">
          <PlatformField value={form?.platform} error={errors.platform} />
          <TextField label="Name" name="name" required maxLength={64} defaultValue={form?.name} error={errors.name} />
          <TextField
            label="Slug"
            name="slug"
            maxLength={50}
            pattern="[a-z0-9]([a-z0-9\-]{0,48}[a-z0-9])?"
            hint="Used in addresses and in the ids of issues. If empty, it is made from the name."
            defaultValue={form?.slug}
            error={errors.slug}
          />
          {loaderData.teams.length > 0 && (
            <SelectField
              label="Team"
              name="team"
              defaultValue={form?.team ?? (loaderData.seesEverything ? "" : loaderData.teams[0]?.slug)}
              hint="Its members see the project. Owners and managers see every project."
              error={errors.team}
            >
              <option value="">{loaderData.seesEverything ? "No team yet" : "No team: for me alone"}</option>
              {toOptions(loaderData.teams, ({ slug, name }) => [slug, name])}
            </SelectField>
          )}
          <div className="flex gap-2 pt-1">
            <Button type="submit" variant="primary" isPending={isPending}>
              Create project
            </Button>
            <LinkButton to="/projects" variant="quiet">
              Cancel
            </LinkButton>
          </div>
        </Form>
      </Card>
    </div>
  );
}

export function meta() {
  return [{ title: "New project · Culprit" }];
}

export const handle = { section: "projects", prefetch: "static" };
