import { MAX_EMAILS } from "../../domain/notification.ts";
import { Panel } from "../../ui/card.tsx";
import { CodeLinesField } from "../../ui/code-lines-field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { NoMail } from "../alerts/no-mail.tsx";
import type { NotificationPage } from "./get-notification-page.server.ts";
import type { NotificationResult } from "./notification-result.ts";

/** The mail addresses of a project. */
export function RecipientSettings({
  page: { emails, isOwnerByDefault, mailFrom },
  error,
}: {
  page: NotificationPage;
  error: Extract<NotificationResult, { ok: false }> | null;
}) {
  const isOfEmails = error?.field === "emails";
  return (
    <Panel title="Addresses of this project">
      <IntentForm intent="recipients" submit="Save" variant="primary">
        {mailFrom === null && <NoMail />}
        <CodeLinesField
          label="E-mail addresses, one a line"
          name="emails"
          rows={4}
          autoComplete="off"
          placeholder="ada@example.com"
          defaultValue={isOfEmails ? error.typed : emails.join("\n")}
          hint={
            isOwnerByDefault
              ? `At most ${MAX_EMAILS}. It is the owner of this server, and follows their address when it changes.`
              : `At most ${MAX_EMAILS}. For lists and people who have no account: members get e-mail by rules that tell the members.`
          }
          error={isOfEmails ? error.message : null}
        />
      </IntentForm>
    </Panel>
  );
}
