import { MAX_EMAILS, TRANSITIONS, type Transition } from "../../domain/notification.ts";
import { Panel } from "../../ui/card.tsx";
import { CheckboxField, TextareaField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { NotificationPage } from "./get-notification-page.server.ts";
import type { NotificationResult } from "./notification-result.ts";

const WORDS: Record<Transition, { label: string; hint: string }> = {
  new: { label: "New issues", hint: "The first event of an issue that was not seen before." },
  regressed: {
    label: "Issues that come back",
    hint: "Resolved ones that happen again, and archived ones whose time or count is over.",
  },
};

/** Which changes are announced, and who gets them by e-mail. */
export function RecipientSettings({
  page: { transitions, emails, isOwnerByDefault, mailFrom },
  error,
}: {
  page: NotificationPage;
  error: Extract<NotificationResult, { ok: false }> | null;
}) {
  const isOfEmails = error?.field === "emails";
  return (
    <Panel title="Who hears of what">
      <IntentForm intent="recipients" submit="Save" variant="primary">
        <fieldset className="grid gap-3">
          <legend className="pb-2 font-semibold text-sm">Send messages for</legend>
          {TRANSITIONS.map((transition) => (
            <CheckboxField
              key={transition}
              name="transitions"
              value={transition}
              defaultChecked={transitions.includes(transition)}
              {...WORDS[transition]}
            />
          ))}
        </fieldset>
        {mailFrom === null && (
          <Notice tone="warning" title="Mail is not set up: this server sends no e-mail.">
            <p>
              Set <code>SMTP_URL</code> (like <code>smtp://user:password@mail.example.com:587</code>) and{" "}
              <code>MAIL_FROM</code> (like <code>errors@example.com</code>), and start the server again.
            </p>
          </Notice>
        )}
        <TextareaField
          label="E-mail addresses, one a line"
          name="emails"
          rows={4}
          spellCheck={false}
          autoComplete="off"
          className="[&_textarea]:font-mono"
          placeholder="ada@example.com"
          defaultValue={isOfEmails ? error.typed : emails.join("\n")}
          hint={
            isOwnerByDefault
              ? "The owner of this server, unless you change it. Empty: nobody gets e-mail."
              : `At most ${MAX_EMAILS}. Empty: nobody gets e-mail.`
          }
          error={isOfEmails ? error.message : null}
        />
      </IntentForm>
    </Panel>
  );
}
