import { type AlertAction, toActionWord } from "../../domain/alerts/alert-rule.ts";
import { toPlaceField } from "../../domain/alerts/read-rule-form.ts";
import { CHANNEL_PLACES, type ChannelPlaceWords, MAX_PLACE } from "../../domain/channels/channel-place.ts";
import { CheckboxField, Input } from "../../ui/field.tsx";
import { GroupError } from "../../ui/group-error.tsx";
import type { RuleNameTable } from "./load-rule-names.server.ts";
import { NoMail } from "./no-mail.tsx";

const WORDS = {
  members: {
    label: "Members of the project",
    hint: "People who see it by a team or were given it. If there are none, the owners.",
  },
  recipients: { label: "The addresses and channels of the project", hint: "Those of its page Notifications." },
  assignee: { label: "The assignee", hint: "A member, or everybody of the team." },
  owners: { label: "The owners by rule", hint: "Whom the ownership rules of the project name." },
} as const;

interface Receiver {
  word: string;
  label: string;
  /** The id of a channel. */
  id?: number;
  /** For a channel that can also send messages to other places. */
  place?: ChannelPlaceWords | undefined;
}

/** Chooses who is notified. Channels come first, because a team reads them together. */
export function AlertReceivers({
  names: { teams, people, channels },
  actions,
  error,
  isMailSetUp = true,
  legend = "Then tell",
  field = "action",
}: {
  names: RuleNameTable;
  actions: readonly AlertAction[];
  error: string | null;
  /** False: a sentence says that mail is not set up. */
  isMailSetUp?: boolean;
  legend?: string;
  /** The name of the check boxes. The rule's sentence links to boxes with the default name. */
  field?: string;
}) {
  const toId = (word: string) => (field === "action" ? { id: `rule-action-${word}` } : {});
  const chosen = new Set(actions.map(toActionWord));
  const groups: Array<{ title: string; list: Receiver[] }> = [
    {
      title: "Channels",
      list: channels.map(({ id, name, kind }) => ({
        word: `channel:${id}`,
        label: name,
        id,
        place: CHANNEL_PLACES[kind],
      })),
    },
    { title: "Teams", list: teams.map(({ id, slug }) => ({ word: `team:${id}`, label: `#${slug}` })) },
    {
      title: "On call",
      // A chosen rota stays in the list, even if the team has ended it.
      list: teams
        .filter(({ id, hasRota }) => hasRota || chosen.has(`on-call:${id}`))
        .map(({ id, slug }) => ({ word: `on-call:${id}`, label: `The member on call in #${slug}` })),
    },
    {
      title: "People",
      list: people.map(({ id, name, email }) => ({ word: `person:${id}`, label: `${name} (${email})` })),
    },
  ];
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-2 font-semibold text-sm">{legend}</legend>
      {(["members", "recipients", "assignee", "owners"] as const).map((kind) => (
        <span key={kind} {...toId(kind)}>
          <CheckboxField
            name={field}
            value={kind}
            defaultChecked={chosen.has(kind)}
            label={WORDS[kind].label}
            {...(field === "action" ? { hint: WORDS[kind].hint } : {})}
          />
        </span>
      ))}
      {groups.map(({ title, list }) =>
        list.length === 0 ? null : (
          <fieldset key={title} className="grid gap-2">
            <legend className="pb-1.5 text-muted text-xs">{title}</legend>
            <div className="grid max-h-96 gap-2 overflow-y-auto p-0.5">
              {list.map(({ word, label, id, place }) => (
                <span key={word} {...toId(word)} className="alert-receiver">
                  <CheckboxField name={field} value={word} label={label} defaultChecked={chosen.has(word)} />
                  {place && id !== undefined && (
                    <span className="alert-place">
                      <label htmlFor={toPlaceField(field, id)}>{place.label}</label>
                      <Input
                        id={toPlaceField(field, id)}
                        name={toPlaceField(field, id)}
                        defaultValue={findPlace(actions, id)}
                        maxLength={MAX_PLACE}
                        placeholder={place.placeholder}
                        title={`Empty: the channel’s own. Else ${place.wants}.`}
                      />
                    </span>
                  )}
                </span>
              ))}
            </div>
          </fieldset>
        ),
      )}
      <GroupError message={error} />
      {!isMailSetUp && <NoMail />}
    </fieldset>
  );
}

function findPlace(actions: readonly AlertAction[], channelId: number): string {
  const action = actions.find((each) => each.kind === "channel" && each.id === channelId);
  return action?.kind === "channel" ? (action.place ?? "") : "";
}
