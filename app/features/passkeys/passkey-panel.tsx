import { useState } from "react";
import { Form, useSubmit } from "react-router";
import { MAX_PASSKEY_NAME, type Passkey, type PasskeySite } from "../../domain/people/passkey.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { toFieldOf } from "../../ui/intent-form.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { makePasskey } from "./ask-browser.ts";

export type ShownPasskey = Pick<Passkey, "id" | "name" | "createdAt" | "usedAt" | "isBackedUp">;

/** The viewer's own passkeys, and a form to add one. */
export function PasskeyPanel({
  passkeys,
  site,
  hasPassword,
  error,
}: {
  passkeys: readonly ShownPasskey[];
  site: PasskeySite;
  hasPassword: boolean;
  error: { field: string; message: string } | null;
}) {
  return (
    <Panel
      title="Passkeys"
      description="A passkey signs you in with your fingerprint, your face or the PIN of your device, without a password and a code."
      isFlush
    >
      {passkeys.length > 0 && (
        <ul aria-label="Your passkeys" className="divide-y divide-line border-line border-b">
          {passkeys.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <div className="p-4">
        {site.ok ? <AddPasskey hasPassword={hasPassword} error={error} /> : <p className="text-sm">{site.reason}</p>}
      </div>
    </Panel>
  );
}

function PasskeyItem({ passkey: { id, name, createdAt, usedAt, isBackedUp } }: { passkey: ShownPasskey }) {
  return (
    <li className="grid gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="mr-auto grid gap-0.5">
          <p className="wrap-anywhere flex flex-wrap items-center gap-2 text-sm">
            {name} {isBackedUp && <Badge>Synced</Badge>}
          </p>
          <p className="text-muted text-xs">
            Added <RelativeTime at={createdAt} />,{" "}
            {usedAt === null ? (
              "never used"
            ) : (
              <>
                last used <RelativeTime at={usedAt} />
              </>
            )}
          </p>
        </div>
        <ButtonForm
          fields={{ passkey: id }}
          name="intent"
          value="remove-passkey"
          size="sm"
          aria-label={`Remove the passkey ${name}`}
        >
          Remove
        </ButtonForm>
      </div>
      <details>
        <summary className="w-fit cursor-pointer text-muted text-xs hover:text-ink">Rename</summary>
        <Form method="post" className="flex flex-wrap items-end gap-2 pt-2">
          <input type="hidden" name="passkey" value={id} />
          <TextField
            label={`New name of ${name}`}
            name="name"
            required
            maxLength={MAX_PASSKEY_NAME}
            defaultValue={name}
          />
          <Button type="submit" name="intent" value="rename-passkey">
            Save
          </Button>
        </Form>
      </details>
    </li>
  );
}

function AddPasskey({
  hasPassword,
  error,
}: {
  hasPassword: boolean;
  error: { field: string; message: string } | null;
}) {
  const submit = useSubmit();
  const [isAsking, setAsking] = useState(false);
  const [trouble, setTrouble] = useState<{ field: string | null; message: string } | null>(null);
  const known = trouble ?? error;
  const field = toFieldOf(known);
  return (
    <Form
      method="post"
      className="grid max-w-form gap-4"
      onSubmit={async (event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        setAsking(true);
        setTrouble(null);
        const made = await makePasskey(String(form.get("confirm") ?? ""));
        setAsking(false);
        if (!made.ok) return setTrouble(made.trouble);
        void submit(
          { intent: "add-passkey", name: String(form.get("name") ?? ""), answer: made.answer },
          { method: "post" },
        );
      }}
    >
      <TextField
        label="Name"
        {...field("name")}
        maxLength={MAX_PASSKEY_NAME}
        hint="To tell your passkeys apart. Empty: the name of your browser."
      />
      {hasPassword && (
        <TextField
          label="Confirm with your password"
          {...field("confirm")}
          type="password"
          autoComplete="current-password"
          required
        />
      )}
      <p role="status" className="text-error text-sm empty:hidden">
        {trouble && trouble.field === null ? trouble.message : ""}
      </p>
      <div>
        <Button type="submit" name="intent" value="add-passkey" isPending={isAsking}>
          Add a passkey
        </Button>
      </div>
    </Form>
  );
}
