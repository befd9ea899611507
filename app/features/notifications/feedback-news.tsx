import { Panel } from "../../ui/card.tsx";
import { CheckboxField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { NotificationPage } from "./get-notification-page.server.ts";

/** The choice who gets new feedback. */
export function FeedbackNews({ page: { tellsFeedback } }: { page: NotificationPage }) {
  return (
    <Panel title="Feedback">
      <IntentForm intent="feedback" submit="Change who hears of feedback">
        <p className="text-sm">
          Members who work on this project hear of new feedback, as each has chosen under{" "}
          <TextLink to="/settings#reach">How you are told</TextLink>. Messages in <i>Spam</i> are not told.
        </p>
        <CheckboxField
          name="feedback"
          value="on"
          label="Tell the addresses and channels above, too"
          hint="At most one message a minute, with all that came meanwhile."
          defaultChecked={tellsFeedback}
        />
      </IntentForm>
    </Panel>
  );
}
