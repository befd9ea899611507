import { data, Form } from "react-router";
import { workspaceContext } from "../../context.ts";
import type { StatusPage } from "../../domain/uptime/status-page.ts";
import { changeStatusPage, getStatusPageSettings } from "../../features/uptime/change-status-page.server.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Card, Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CheckboxField, TextField } from "../../ui/field.tsx";
import { GroupError } from "../../ui/group-error.tsx";
import { toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useAnswerInSight } from "../../ui/use-answer-in-sight.ts";
import type { Route } from "./+types/status-page.ts";
import { requireProject, toProjectTrail } from "./require-project.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const settings = await getStatusPageSettings(workspace, project);
  const root = workspace.settings.publicUrl ?? url.origin;
  return { ...settings, project: { slug: project.slug, name: project.name }, root };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  const form = await request.formData();
  const result = await changeStatusPage(workspace, { project, form });
  const typed = {
    title: String(form.get("title") ?? ""),
    slug: String(form.get("slug") ?? ""),
    monitorIds: form.getAll("monitor").map(Number),
    showsAddresses: form.has("showsAddresses"),
  };
  return data({ ...result, typed }, { status: result.ok ? 200 : result.status });
}

export default function StatusPageSettings({ loaderData, actionData }: Route.ComponentProps) {
  useAnswerInSight();
  const { project, page, monitors, root } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const errorOf = toErrorOf(refusal);
  const field = toFieldOf(refusal);
  const empty = { title: project.name, slug: "", monitorIds: [], showsAddresses: false };
  const shown = refusal && refusal.field !== "intent" ? refusal.typed : (page ?? empty);
  return (
    <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-4">
      <PageHeader
        title="Public status page"
        trail={[...toProjectTrail(project), { label: "Uptime", to: `/uptime?project=${project.slug}` }]}
        description="Anybody who knows its address sees it, without an account: whether the chosen addresses are up, their last 90 days, and when they were down. Never why."
        actions={
          page && (
            <ButtonForm name="intent" value="delete" variant="quiet">
              Take it down
            </ButtonForm>
          )
        }
      />
      {actionData?.ok && (
        <Notice
          tone="done"
          title={actionData.message}
          actions={actionData.deleted && <UndoTakeDown page={actionData.deleted} />}
        />
      )}
      {refusal?.field === "intent" && <Notice tone="error" title={refusal.message} />}
      {page && (
        <Panel title="Its address">
          <div className="grid gap-2">
            <CopyField label="Address of the page" value={`${root}/status/${page.slug}`} />
            <TextLink to={`/status/${page.slug}`}>Look at it</TextLink>
          </div>
        </Panel>
      )}
      {monitors.length === 0 && !page ? (
        <Card>
          <EmptyState
            title="This project has no addresses yet"
            actions={<LinkButton to={`/uptime/new?project=${project.slug}`}>Check an address</LinkButton>}
          >
            A status page shows addresses that Culprit checks.
          </EmptyState>
        </Card>
      ) : (
        <Panel title="What it shows">
          <KeptFocus>
            <Form method="post" className="grid gap-4" key={JSON.stringify(page)}>
              <TextField label="Title" {...field("title", shown.title)} hint="The headline for everybody" />
              <CodeField
                label="End of the address"
                {...field("slug", shown.slug)}
                hint="Like “shop”: then anybody can guess it. Empty: one that nobody guesses."
              />
              <fieldset className="grid gap-2">
                <legend className="pb-1 font-semibold text-sm">Addresses</legend>
                <GroupError message={errorOf("monitor")} />
                {monitors.map(({ id, name, address }) => (
                  <CheckboxField
                    key={id}
                    name="monitor"
                    value={id}
                    label={<bdi className="wrap-anywhere">{name}</bdi>}
                    hint={<code className="wrap-anywhere">{address}</code>}
                    defaultChecked={shown.monitorIds.includes(id)}
                  />
                ))}
              </fieldset>
              <CheckboxField
                name="showsAddresses"
                label="Show the addresses too"
                hint="Without their query. Otherwise the names alone are seen."
                defaultChecked={shown.showsAddresses}
              />
              <div>
                <Button type="submit" variant="primary" name="intent" value="save">
                  {page ? "Save" : "Publish"}
                </Button>
              </div>
            </Form>
          </KeptFocus>
        </Panel>
      )}
    </div>
  );
}

/** Restores the page that was just taken down. */
function UndoTakeDown({ page: { slug, title, monitorIds, showsAddresses } }: { page: StatusPage }) {
  return (
    <Form method="post">
      <input type="hidden" name="slug" value={slug} />
      <input type="hidden" name="title" value={title} />
      {monitorIds.map((id) => (
        <input key={id} type="hidden" name="monitor" value={id} />
      ))}
      {showsAddresses && <input type="hidden" name="showsAddresses" value="on" />}
      <Button type="submit" name="intent" value="restore-page" size="sm" data-shortcut="u">
        Undo
      </Button>
    </Form>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Status page of ${loaderData?.project.name ?? "project"} · Culprit` }];
}

export const handle = { section: "uptime" };
