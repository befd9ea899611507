import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { isChannelKind } from "../../domain/channels/channel.ts";
import { CHANNEL_KIND_WORDS } from "../../domain/channels/channel-kinds.ts";
import { addChannel } from "../../features/channels/add-channel.server.ts";
import { ChannelForm } from "../../features/channels/channel-form.tsx";
import { ChannelSecretNotice } from "../../features/channels/channel-secret-notice.tsx";
import { getChannelFormFacts } from "../../features/channels/get-channel-page.server.ts";
import { KindList } from "../../features/channels/kind-list.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/new-channel.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const kind = url.searchParams.get("kind");
  const facts = await getChannelFormFacts(context.get(workspaceContext));
  const asked = url.searchParams.get("project");
  const forProject = facts.projects.find(({ slug }) => slug === asked) ?? null;
  return { kind: isChannelKind(kind) ? kind : null, facts, forProject };
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await addChannel(context.get(workspaceContext), { form, now: Date.now() });
  if (!result.ok) return data(result, { status: result.status });
  // Only a channel with a secret stays on this page, which shows the secret once.
  if (result.secret === undefined) throw redirect(`/settings/channels/${result.channelId}?added`);
  return result;
}

export default function NewChannelPage({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, facts, forProject } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const added = actionData?.ok ? actionData : null;
  const trail = [
    { label: "Settings", to: "/settings" },
    { label: "Channels", to: "/settings/channels" },
  ];
  const query = forProject ? `&project=${encodeURIComponent(forProject.slug)}` : "";
  const words = kind && CHANNEL_KIND_WORDS[kind];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title={words ? `New channel: ${words.title}` : "New channel"} trail={trail} />
      {refusal && refusal.field === null && <Notice tone="error" title={refusal.message} />}
      {added?.secret !== undefined && (
        <>
          <ChannelSecretNotice message={added.message} secret={added.secret} />
          <div>
            <LinkButton to={`/settings/channels/${added.channelId}`}>Open the channel</LinkButton>
          </div>
        </>
      )}
      {added === null && (kind === null || words === null) && <KindList query={query} />}
      {added === null && kind !== null && words && (
        <Panel title="Settings" description={[words.description, words.cannot].filter(Boolean).join(" ")}>
          <ChannelForm
            kind={kind}
            facts={facts}
            values={{
              name: "",
              settings: {},
              savedSecrets: [],
              projectIds: forProject ? [forProject.id] : facts.mayServeAll ? null : [],
            }}
            error={refusal}
            intent="add"
            submit={forProject ? `Add, and tell it of ${forProject.name}` : "Add channel"}
            hidden={{ kind, ...(forProject && { forProject: forProject.slug }) }}
          />
        </Panel>
      )}
    </div>
  );
}

export function meta() {
  return [{ title: "New channel · Culprit" }];
}

/** A secret is shown once on this page, so the browser must not cache it. */
export function headers() {
  return { "cache-control": "no-store" };
}

export const handle = { section: "settings" };
