import { Panel } from "../../ui/card.tsx";
import { SelectField } from "../../ui/field.tsx";
import { IntentForm } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { DeliveryPage } from "./get-delivery-page.server.ts";

/** The choice of the channel that gets the messages which others cannot get. */
export function FallbackForm({ fallback, error }: { fallback: DeliveryPage["fallback"]; error: string | null }) {
  const { id, offered, mayChange } = fallback;
  const chosen = offered.find((channel) => channel.id === id);
  return (
    <Panel
      title="Fallback channel"
      description="It is told what others cannot be told: after three failed tries, or at once where a mail server refuses the address for good."
    >
      {mayChange && offered.length > 0 ? (
        <IntentForm intent="fallback" submit="Save">
          <SelectField label="Fallback channel" name="fallback" defaultValue={id ?? ""} error={error}>
            <option value="">None</option>
            {toOptions(offered, (channel) => [channel.id, channel.name])}
          </SelectField>
          <p className="text-muted text-xs">
            Choose one that works without what may fail: a chat if most people get mail. It hears of every project, so
            only channels of all projects are offered.
          </p>
        </IntentForm>
      ) : (
        <p className="text-sm">
          {chosen ? (
            <>
              Messages that do not arrive are told to <b>{chosen.name}</b>.
            </>
          ) : (
            "There is none: messages that do not arrive are said on this page alone."
          )}{" "}
          {mayChange ? (
            <>
              <TextLink to="/settings/channels/new">Add a channel</TextLink> that serves all projects to choose it here.
            </>
          ) : (
            "Owners and managers choose it."
          )}
        </p>
      )}
    </Panel>
  );
}
