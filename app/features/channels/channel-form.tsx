import type { ChannelKind, ChannelValues } from "../../domain/channels/channel.ts";
import { CHANNEL_KIND_WORDS, type ChannelField } from "../../domain/channels/channel-kinds.ts";
import { CodeField } from "../../ui/code-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { toOptions } from "../../ui/options.tsx";
import { NoMail } from "../alerts/no-mail.tsx";
import type { ChannelRefusal } from "./channel-result.ts";
import type { ChannelFormFacts } from "./get-channel-page.server.ts";
import { ServedProjects } from "./served-projects.tsx";

interface ChannelFormValues {
  name: string;
  settings: ChannelValues;
  savedSecrets: readonly string[];
  projectIds: readonly number[] | null;
}

/** The fields of a kind, and the choice of projects that may use the channel. */
export function ChannelForm({
  kind,
  facts,
  values,
  error,
  intent,
  submit,
  hidden = {},
}: {
  kind: ChannelKind;
  facts: ChannelFormFacts;
  values: ChannelFormValues;
  error: ChannelRefusal | null;
  intent: string;
  submit: string;
  hidden?: Readonly<Record<string, string>>;
}) {
  const errorOf = toErrorOf(error);
  const field = toFieldOf(error);
  const shownOf = (name: string, saved: string) => error?.typed?.[name] ?? saved;
  return (
    <IntentForm intent={intent} submit={submit} variant="primary">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {kind === "email" && facts.mailFrom === null && (
        <NoMail title="Mail is not set up: this server sends no e-mail." />
      )}
      <TextField
        label="Name"
        {...field("name", shownOf("name", values.name))}
        required
        maxLength={80}
        autoComplete="off"
        placeholder="Shop on call"
        hint="How people find it in lists."
      />
      {CHANNEL_KIND_WORDS[kind].fields.map((each) => (
        <KindField
          key={each.name}
          field={each}
          value={shownOf(each.name, values.settings[each.name] ?? "")}
          isSaved={values.savedSecrets.includes(each.name)}
          allowsPrivate={facts.allowsPrivate}
          error={errorOf(each.name)}
        />
      ))}
      <ServedProjects facts={facts} projectIds={values.projectIds} error={errorOf("project")} />
    </IntentForm>
  );
}

function KindField({
  field: { name, label, type, isSecret, isOptional, placeholder, hint, choices },
  value,
  isSaved,
  allowsPrivate,
  error,
}: {
  field: ChannelField;
  value: string;
  isSaved: boolean;
  allowsPrivate: boolean;
  error: string | null;
}) {
  const common = { label, name, error };
  if (choices)
    return (
      <SelectField {...common} hint={hint} defaultValue={value || choices[0]?.[0]}>
        {toOptions(choices, ([choice, words]) => [choice, words])}
      </SelectField>
    );
  const hints = [
    hint,
    isSaved && "It is saved and not shown again. Left empty, it stays.",
    type === "url" && !allowsPrivate && "It must be on the public internet.",
  ];
  return (
    <CodeField
      {...common}
      type={isSecret && type !== "url" ? "password" : "text"}
      required={!isOptional && !isSaved}
      maxLength={2_000}
      {...(placeholder && { placeholder })}
      defaultValue={isSecret ? "" : value}
      hint={hints.filter(Boolean).join(" ") || undefined}
    />
  );
}
