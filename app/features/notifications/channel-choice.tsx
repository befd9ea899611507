import { CHANNEL_KIND_WORDS } from "../../domain/channels/channel-kinds.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CheckboxField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { NotificationPage } from "./get-notification-page.server.ts";
import type { NotificationResult } from "./notification-result.ts";

/** The choice which channels of the organization the project uses. */
export function ChannelChoice({
  page: { offered },
  slug,
  error,
}: {
  page: NotificationPage;
  slug: string;
  error: Extract<NotificationResult, { ok: false }> | null;
}) {
  return (
    <Panel
      title="Channels of this project"
      description={
        <>
          Slack, webhooks and others. They belong to the organization: see{" "}
          <TextLink to="/settings/channels">all channels</TextLink>.
        </>
      }
      actions={
        <LinkButton to={`/settings/channels/new?project=${encodeURIComponent(slug)}`} size="sm">
          Add a channel
        </LinkButton>
      }
    >
      {error?.field === "channels" && <Notice tone="error" title={error.message} className="mb-3" />}
      {offered.length === 0 ? (
        <EmptyState title="No channel serves this project">Add one: Slack, a webhook, a list of addresses.</EmptyState>
      ) : (
        <IntentForm intent="channels" submit="Save channels">
          <fieldset className="grid gap-2.5">
            <legend className="sr-only">Channels of this project</legend>
            {offered.map(({ id, name, kind, isChosen }) => (
              <CheckboxField
                key={id}
                label={name}
                name="channel"
                value={id}
                defaultChecked={isChosen}
                hint={CHANNEL_KIND_WORDS[kind].title}
              />
            ))}
          </fieldset>
        </IntentForm>
      )}
    </Panel>
  );
}
