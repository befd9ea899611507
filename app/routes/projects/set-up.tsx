import { data, Form, redirect, useNavigation } from "react-router";
import { workspaceContext } from "../../context.ts";
import { IfMay } from "../../features/frame/use-may.tsx";
import { ConnectSteps } from "../../features/projects/connect-steps.tsx";
import { FirstEvent } from "../../features/projects/first-event.tsx";
import { getProjectPage } from "../../features/projects/get-project-page.server.ts";
import { ProjectTabs } from "../../features/projects/project-tabs.tsx";
import { sendSampleEvent } from "../../features/projects/send-sample-event.server.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/set-up.ts";
import { requireProject } from "./require-project.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const workspace = context.get(workspaceContext);
  const project = await requireProject(workspace, params.slug);
  return getProjectPage(workspace, { project, url, now: Date.now() });
}

export async function action({ context, params }: Route.ActionArgs) {
  const workspace = context.get(workspaceContext);
  const sent = await sendSampleEvent(workspace, await requireProject(workspace, params.slug), Date.now());
  if (!sent.ok) return data({ error: sent.detail }, { status: sent.status });
  return redirect(`/events/${sent.eventId}`);
}

/** Texts in place of keys, for a project that has no key to show. */
const PLACEHOLDERS = { dsn: "DSN", loader: "LOADER", tunnel: "TUNNEL" };

export default function ProjectSetUpPage({ loaderData, actionData }: Route.ComponentProps) {
  const { project, addresses, platform, latest, arrived } = loaderData;
  const isPending = useNavigation().formMethod === "POST";
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-page gap-4">
      <PageHeader
        title={project.name}
        trail={[{ label: "Projects", to: "/projects" }]}
        actions={
          <>
            <LinkButton to={`/settings/tokens?project=${project.slug}`}>Tokens</LinkButton>
            <LinkButton to={`/issues?project=${project.slug}`}>Issues</LinkButton>
          </>
        }
      />
      <ProjectTabs project={project} current="set-up" />
      <FirstEvent project={project} latest={latest} arrived={arrived}>
        <IfMay right="event:write">
          <Form method="post">
            <Button type="submit" isPending={isPending}>
              Send a sample event
            </Button>
          </Form>
        </IfMay>
      </FirstEvent>
      {actionData?.error && (
        <p role="alert" className="rounded-md bg-error-wash px-3 py-2 text-error text-sm">
          The sample event was refused: {actionData.error}
        </p>
      )}
      <Panel title="DSN" description="The SDK sends its reports to this address. It may be public: it can only send.">
        {addresses ? (
          <CopyField label="DSN" value={addresses.dsn} />
        ) : (
          <p className="text-muted text-sm">
            Every key of this project is disabled. Make or enable one in its settings.
          </p>
        )}
      </Panel>
      <ConnectSteps slug={project.slug} platform={platform} addresses={addresses ?? PLACEHOLDERS} />
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `Set up ${loaderData?.project.name ?? "a project"} · Culprit` }];
}

export const handle = { section: "projects" };
