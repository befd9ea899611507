import { Form } from "react-router";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf, toFieldOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { CodeOfAppField } from "./code-of-app-field.tsx";
import type { FactorSetUp, SecondFactorState } from "./set-up-second-factor.server.ts";

type FieldError = { field: string; message: string } | null;

/** The next step of a set-up: the password, then the QR code and a code of the app. */
export function FactorSetUpSteps({
  state: { setUp, hasPassword },
  email,
  error,
}: {
  state: Pick<SecondFactorState, "setUp" | "hasPassword">;
  email: string;
  error: FieldError;
}) {
  const errorOf = toErrorOf(error);
  const field = toFieldOf(error);
  if (setUp) return <ScanForm setUp={setUp} error={errorOf("code")} />;
  return (
    <IntentForm intent="begin-factor" submit="Set up an app" variant="primary">
      {hasPassword && (
        <>
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <TextField
            label="Confirm with your password"
            {...field("confirm")}
            type="password"
            autoComplete="current-password"
            required
          />
        </>
      )}
    </IntentForm>
  );
}

function ScanForm({ setUp: { key, uri, qr }, error }: { setUp: FactorSetUp; error: string | null }) {
  return (
    <IntentForm intent="confirm-factor" submit="Turn on" variant="primary">
      <p className="text-sm">
        Scan this with an authenticator app, or <TextLink to={uri}>open your app on this device</TextLink>.
      </p>
      {/* Dark on white in every theme, because many cameras read nothing else. */}
      <svg
        role="img"
        aria-label="QR code for an authenticator app"
        viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`}
        className="w-48 max-w-full rounded-md border border-line"
        shapeRendering="crispEdges"
      >
        <rect x="-4" y="-4" width={qr.size + 8} height={qr.size + 8} fill="#fff" />
        <path d={qr.path} fill="#000" />
      </svg>
      <div className="grid gap-1.5">
        <p className="text-muted text-xs">
          Without a camera, type this key into the app. If the app asks, its codes are based on time.
        </p>
        <CopyField label="Key" value={key} />
      </div>
      <CodeOfAppField label="Code that the app shows" error={error} />
    </IntentForm>
  );
}

/** New recovery codes. They are shown only this once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <Notice tone="warning" title="Save your recovery codes now">
      <div className="grid gap-3 pt-1">
        <p>
          Each signs you in once when you do not have your phone. They are not shown again. Keep them where you keep
          passwords.
        </p>
        <ul aria-label="Recovery codes" className="grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-sm">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div>
          <CopyButton text={codes.join("\n")} size="sm" label="Copy all" />
        </div>
      </div>
    </Notice>
  );
}

/** Forms for a person whose second factor is on. */
export function FactorOnForms({
  recoveryCodesLeft,
  isRequired,
  error,
}: {
  recoveryCodesLeft: number;
  isRequired: boolean;
  error: FieldError;
}) {
  return (
    <div className="grid gap-4">
      <p className="text-sm">
        Sign-in asks for a code of your app.{" "}
        {recoveryCodesLeft === 0
          ? "You have no recovery codes left. Make new ones."
          : `Recovery codes left: ${recoveryCodesLeft}.`}
      </p>
      <Form method="post" className="grid max-w-form gap-4">
        <CodeOfAppField
          hint={
            isRequired
              ? "Of your app, or a recovery code. Your organization requires a second factor, so it stays on."
              : "Of your app, or a recovery code. Both buttons ask for it."
          }
          error={toErrorOf(error)("code")}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" name="intent" value="new-codes">
            Make new recovery codes
          </Button>
          {!isRequired && (
            <Button type="submit" name="intent" value="turn-off-factor" variant="quiet">
              Turn off
            </Button>
          )}
        </div>
      </Form>
    </div>
  );
}
