import { useEffect, useRef } from "react";
import { Form } from "react-router";
import type { WebhookForm } from "../../domain/notification.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { CodeField, SelectField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
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
  const errorOf = (field: string) => (error?.field === field ? error.message : null);
  return (
    <Panel
      title="Webhook"
      description="An address that messages are posted to: an incoming webhook of Slack or Discord, or a program of your own."
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

/** The secret, the only time that it is shown. Takes the focus: the button that made it may be a screen further down. */
export function SecretNotice({ message, secret }: { message: string; secret: string }) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each secret
  useEffect(() => place.current?.focus(), [secret]);
  return (
    <div ref={place} tabIndex={-1} className="scroll-mt-4 rounded-md">
      <Notice tone="done" title={`${message} Copy the secret now: it is not shown again.`}>
        <div className="grid gap-2 pt-2">
          <CopyField label="Secret of the webhook" value={secret} />
          <p className="text-muted text-xs">
            Messages are signed as Standard Webhooks says: headers webhook-id, webhook-timestamp and webhook-signature.
            A message that is sent again has the same webhook-id.
          </p>
        </div>
      </Notice>
    </div>
  );
}
