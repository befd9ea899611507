import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { ActiveSilence } from "./list-silences.server.ts";

/** Notices about silences: nobody is told, until when, and why. */
export function SilenceNotices({ silences }: { silences: readonly ActiveSilence[] }) {
  return silences.map(({ id, environment, ruleName, reason, madeBy, endsAt, mayChange }) => (
    <Notice
      key={id}
      tone="warning"
      actions={
        mayChange && (
          <ButtonForm size="sm" name="intent" value="end" action="/alerts/silences" fields={{ silence: id }}>
            End the silence
          </ButtonForm>
        )
      }
    >
      <p className="wrap-anywhere">
        <TextLink to={`/alerts/silences/${id}`}>Silenced</TextLink>
        {ruleName !== null && ` for the rule ${ruleName}`}
        {environment !== null && ` in ${environment}`} until <AbsoluteTime at={endsAt} /> by {madeBy}
        {reason !== "" && `: ${reason}`}
        {`. ${sayEffect(ruleName, environment)} until then.`}
      </p>
    </Notice>
  ));
}

/** The effect of the silence, in words. Everything that it does not cover is told as always. */
function sayEffect(ruleName: string | null, environment: string | null): string {
  if (environment === null) return `Nobody is told by ${ruleName === null ? "alert rules" : "it"}`;
  return ruleName === null ? `Alert rules tell nothing of ${environment}` : `It tells nothing of ${environment}`;
}
