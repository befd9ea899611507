import { Form } from "react-router";
import type { WebhookForm } from "../../domain/notification.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeField, SelectField } from "../../ui/field.tsx";
import { toErrorOf } from "../../ui/intent-form.tsx";
import { SecretNotice } from "../../ui/secret-notice.tsx";
import type { NotificationPage } from "./get-notification-page.server.ts";
import type { NotificationResult } from "./notification-result.ts";

const FORM_WORDS: Record<WebhookForm, string> = {
  json: "Culprit’s JSON, signed",
  slack: "Slack (Mattermost, Rocket.Chat)",
  discord: "Discord",
};

/** The one address that messages are posted to. */
export function WebhookSettings({
  page: { webhook, allowsPrivate },
  error,
}: {
  page: NotificationPage;
  error: Extract<NotificationResult, { ok: false }> | null;
}) {
  const errorOf = toErrorOf(error);
  return (
    <Panel
      title="Webhook"
      description="Culprit posts messages to this address: an incoming webhook of Slack or Discord, or your own program."
    >
      <Form method="post" className="grid max-w-form gap-4">
        <CodeField
          label="Address"
          name="url"
          required={webhook === null}
          maxLength={2000}
          placeholder={webhook ? webhook.shownUrl : "https://hooks.slack.com/services/…"}
          hint={
            <>
              {webhook ? `${webhook.shownUrl} is saved; it is not shown whole. Type another one to replace it. ` : ""}
              {allowsPrivate
                ? "Private addresses are allowed on this server."
                : "It must be on the public internet, unless the server is started with ALLOW_PRIVATE_WEBHOOKS=1."}
            </>
          }
          error={errorOf("url")}
        />
        <SelectField
          label="Form of the messages"
          name="form"
          defaultValue={webhook?.form ?? "auto"}
          error={errorOf("form")}
        >
          <option value="auto">Recognise by the address</option>
          {Object.entries(FORM_WORDS).map(([form, words]) => (
            <option key={form} value={form}>
              {words}
            </option>
          ))}
        </SelectField>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" name="intent" value="webhook">
            Save webhook
          </Button>
          {webhook?.form === "json" && (
            <Button type="submit" name="intent" value="rotate-secret" formNoValidate>
              Make a new secret
            </Button>
          )}
          {webhook && (
            <Button type="submit" name="intent" value="remove-webhook" variant="quiet" formNoValidate>
              Remove webhook
            </Button>
          )}
        </div>
      </Form>
    </Panel>
  );
}

/** Shown once. */
export function WebhookSecretNotice({ message, secret }: { message: string; secret: string }) {
  return (
    <SecretNotice
      title={`${message} Copy the secret now: it is not shown again.`}
      label="Secret of the webhook"
      secret={secret}
    >
      <p className="text-muted text-xs">
        Messages are signed as Standard Webhooks describes, in the headers webhook-id, webhook-timestamp and
        webhook-signature. A message that is sent again has the same webhook-id.
      </p>
    </SecretNotice>
  );
}
