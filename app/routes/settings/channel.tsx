import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { CHANNEL_KIND_WORDS } from "../../domain/channels/channel-kinds.ts";
import { changeChannelByForm } from "../../features/channels/change-channel.server.ts";
import { ChannelForm } from "../../features/channels/channel-form.tsx";
import { sayServed } from "../../features/channels/channel-list.tsx";
import { ChannelSecretNotice } from "../../features/channels/channel-secret-notice.tsx";
import { ChannelResultLines, ChannelStateMark } from "../../features/channels/channel-state.tsx";
import { getChannelPage } from "../../features/channels/get-channel-page.server.ts";
import { toId } from "../../features/input/to-id.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/channel.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const page = await getChannelPage(context.get(workspaceContext), {
    channelId: toId(params.channel),
    now: Date.now(),
  });
  if (page === null) throw data("There is no such channel.", { status: 404 });
  return { page, isNew: url.searchParams.has("added") };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const form = await request.formData();
  const channelId = toId(params.channel);
  const result = await changeChannelByForm(context.get(workspaceContext), { form, channelId, now: Date.now() });
  if (!result.ok) return data(result, { status: result.status });
  if (result.channelId === null) throw redirect("/settings/channels?deleted");
  return result;
}

export default function ChannelPage({ loaderData, actionData }: Route.ComponentProps) {
  const { page, isNew } = loaderData;
  const { item, previousUntil } = page;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const done = actionData?.ok ? actionData : null;
  const words = CHANNEL_KIND_WORDS[item.kind];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title={item.name}
        trail={[
          { label: "Settings", to: "/settings" },
          { label: "Channels", to: "/settings/channels" },
        ]}
        description={`${words.title}. ${sayServed(item)}.`}
        actions={
          item.mayChange && (
            <>
              <ButtonForm name="intent" value="test">
                Send a test
              </ButtonForm>
              {item.kind === "webhook" && (
                <ButtonForm name="intent" value="rotate-secret">
                  Make a new secret
                </ButtonForm>
              )}
              <ButtonForm name="intent" value="delete" variant="quiet">
                Delete
              </ButtonForm>
            </>
          )
        }
      />
      {isNew && !actionData && (
        <Notice tone="done" title="The channel is added. Send a test to see whether it works." />
      )}
      {done?.secret !== undefined && <ChannelSecretNotice message={done.message} secret={done.secret} />}
      {done && done.secret === undefined && <Notice tone={done.isBad ? "error" : "done"} title={done.message} />}
      {refusal && refusal.field === null && <Notice tone="error" title={refusal.message} />}
      <Panel title="State" actions={<ChannelStateMark results={item} />}>
        <div className="grid gap-1 text-sm">
          <p className="wrap-anywhere">
            {item.target ? <code className="text-xs">{item.target}</code> : <>Nothing of its address can be shown.</>}
          </p>
          <ChannelResultLines results={item} />
          {previousUntil !== null && (
            <p>
              Messages are signed with the former secret, too, until <AbsoluteTime at={previousUntil} />.
            </p>
          )}
          {words.cannot && <p className="text-muted">{words.cannot}</p>}
        </div>
      </Panel>
      {item.mayChange ? (
        <Panel title="Settings" description={words.description}>
          <ChannelForm
            key={`${item.name} ${item.target} ${done?.message ?? ""}`}
            kind={item.kind}
            facts={page}
            values={{ ...page, name: item.name }}
            error={refusal}
            intent="save"
            submit="Save"
          />
        </Panel>
      ) : (
        <Notice title="Only those who see all of its projects change this channel." />
      )}
    </div>
  );
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.page.item.name ?? "Channel"} · Culprit` }];
}

/** A new secret is shown once on this page, so the browser must not cache it. */
export function headers() {
  return { "cache-control": "no-store" };
}

export const handle = { section: "settings" };
