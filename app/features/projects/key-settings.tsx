import { Plus } from "lucide-react";
import { Form } from "react-router";
import type { ProjectKey } from "../../domain/project.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Input, SelectField, TextField } from "../../ui/field.tsx";
import { toOptions } from "../../ui/options.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { RATE_LIMIT_WINDOWS } from "./key-form.ts";
import { LoaderSettings } from "./loader-settings.tsx";

interface KeyError {
  field: string;
  keyId?: number;
  message: string;
}

/** The project's DSN keys: copy, rename, limit, disable, delete, make another. */
export function KeySettings({
  keys,
  error,
}: {
  keys: Array<{ key: ProjectKey; dsn: string; loaderUrl: string }>;
  error: KeyError | null;
}) {
  return (
    <Panel
      title="DSN keys"
      description="Give each application or team its own key: then you can limit or disable one without the others."
      isFlush
    >
      <ul className="divide-y divide-line">
        {keys.map(({ key, dsn, loaderUrl }) => (
          <li key={key.id} className="grid gap-3 p-4">
            <KeyItem
              projectKey={key}
              dsn={dsn}
              loaderUrl={loaderUrl}
              error={error?.keyId === key.id ? error.message : null}
              isOnlyKey={keys.length === 1}
            />
          </li>
        ))}
        <li className="p-4">
          <Form method="post" className="flex flex-wrap items-center gap-2" key={keys.length}>
            <Input
              name="label"
              aria-label="Name of the new key"
              placeholder="Name of the new key"
              maxLength={64}
              required
              className="max-w-64!"
            />
            <Button type="submit" name="intent" value="create-key" icon={<Plus aria-hidden="true" />}>
              Create key
            </Button>
            {error?.field === "create-key" && (
              <p role="alert" className="text-error text-xs">
                {error.message}
              </p>
            )}
          </Form>
        </li>
      </ul>
    </Panel>
  );
}

function KeyItem({
  projectKey,
  dsn,
  loaderUrl,
  error,
  isOnlyKey,
}: {
  projectKey: ProjectKey;
  dsn: string;
  loaderUrl: string;
  error: string | null;
  isOnlyKey: boolean;
}) {
  const { id, label, isEnabled, rateLimit, createdAt } = projectKey;
  const window = RATE_LIMIT_WINDOWS.find(({ seconds }) => seconds === rateLimit?.windowSeconds);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-base">{label}</h3>
        {!isEnabled && <Badge tone="archived">Disabled</Badge>}
        {rateLimit && (
          <Badge tone="warning">
            {rateLimit.count.toLocaleString("en")} per {window?.label ?? `${rateLimit.windowSeconds} s`}
          </Badge>
        )}
        <span className="mr-auto text-muted text-xs">
          made <RelativeTime at={createdAt} />
        </span>
        <ButtonForm fields={{ key: id }} name="intent" value="toggle-key" size="sm">
          {isEnabled ? "Disable" : "Enable"}
        </ButtonForm>
      </div>
      <CopyField label={`DSN of ${label}`} value={dsn} />
      {error && (
        <p role="alert" className="text-error text-xs">
          {error}
        </p>
      )}
      <LoaderSettings projectKey={projectKey} loaderUrl={loaderUrl} />
      <Disclosure
        summary={<span className="text-sm">Rate limit, name, delete</span>}
        open={error !== null || undefined}
      >
        <div className="grid gap-4 pt-3">
          <Form method="post" className="flex flex-wrap items-end gap-2">
            <input type="hidden" name="key" value={id} />
            <TextField
              label="At most"
              name="count"
              inputMode="numeric"
              placeholder="no limit"
              defaultValue={rateLimit?.count}
              className="w-32!"
            />
            <SelectField
              label="items per"
              name="window"
              defaultValue={rateLimit?.windowSeconds ?? 60}
              className="w-32!"
            >
              {toOptions(RATE_LIMIT_WINDOWS, ({ seconds, label: name }) => [seconds, name])}
            </SelectField>
            <Button type="submit" name="intent" value="limit-key">
              Save limit
            </Button>
            <p className="basis-full text-muted text-xs">
              Above the limit, senders get 429 with the time to wait, and “What arrived” counts what was refused. Client
              reports always pass.
            </p>
          </Form>
          <Form method="post" className="flex flex-wrap items-end gap-2">
            <input type="hidden" name="key" value={id} />
            <TextField
              label="Name of the key"
              name="label"
              required
              maxLength={64}
              defaultValue={label}
              className="w-64!"
            />
            <Button type="submit" name="intent" value="label-key">
              Rename
            </Button>
          </Form>
          <Form method="post" className="flex flex-wrap items-center gap-2">
            <input type="hidden" name="key" value={id} />
            <Button type="submit" name="intent" value="delete-key" variant="danger" size="sm">
              Delete key
            </Button>
            <p className="text-muted text-xs">
              {isOnlyKey ? "It is the only one: nothing could report any more. " : ""}Cannot be undone; disabling can.
            </p>
          </Form>
        </div>
      </Disclosure>
    </>
  );
}
