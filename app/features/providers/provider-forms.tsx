import type { Provider } from "../../domain/people/provider.ts";
import { PROVIDER_KINDS, PROVIDER_PRESETS } from "../../domain/people/provider.ts";
import type { ProviderLimits } from "../../domain/people/provider-session.ts";
import type { ProxySignIn } from "../../domain/people/proxy-identity.ts";
import { Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { IntentForm, toErrorOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";

type FieldError = { field: string; message: string } | null;

export function NewProviderForm({ typed, error }: { typed: TypedFields | null; error: FieldError }) {
  const errorOf = toErrorOf(error);
  const begin = beginWith(typed, "add-provider");
  return (
    <Panel title="Add a provider" description="It is off at first: test it, then turn it on.">
      <IntentForm intent="add-provider" submit="Add">
        <SelectField label="Kind" name="kind" defaultValue={begin.text("kind", undefined)} error={errorOf("kind")}>
          {PROVIDER_KINDS.filter((kind) => kind !== "proxy").map((kind) => (
            <option key={kind} value={kind}>
              {PROVIDER_PRESETS[kind].name}
            </option>
          ))}
        </SelectField>
        <ClientFields
          begin={begin}
          errorOf={errorOf}
          issuerHint="Like https://login.example.com. Leave it empty for Google, GitLab.com and GitHub.com."
        />
      </IntentForm>
    </Panel>
  );
}

/** The fields of a client at a provider, for a new one (no `provider`) and an existing one. */
function ClientFields({
  provider,
  begin,
  errorOf,
  issuerHint,
}: {
  provider?: Provider;
  begin: ReturnType<typeof beginWith>;
  errorOf: ReturnType<typeof toErrorOf>;
  issuerHint: string;
}) {
  const isAdded = provider !== undefined;
  return (
    <>
      <CodeField
        label="Issuer"
        name="issuer"
        required={isAdded}
        defaultValue={begin.text("issuer", provider?.issuer)}
        hint={issuerHint}
        error={errorOf("issuer")}
      />
      <CodeField
        label="Client ID"
        name="clientId"
        required
        defaultValue={begin.text("clientId", provider?.clientId)}
        error={errorOf("clientId")}
      />
      <TextField
        label="Client secret"
        name="clientSecret"
        type="password"
        autoComplete="off"
        required={!isAdded}
        hint={isAdded ? "Left empty, it stays as it is." : undefined}
        error={errorOf("clientSecret")}
      />
    </>
  );
}

/** Adds the proxy that the operator has configured. It then gets rules and can be turned on. */
export function AddProxyForm({ error }: { error: FieldError }) {
  return (
    <Panel
      title="Add the proxy in front of this server"
      description="The configuration names a proxy that says who somebody is. It signs nobody in until you turn it on: test it first."
    >
      <IntentForm intent="add-provider" submit="Add the proxy">
        <input type="hidden" name="kind" value="proxy" />
        <TextField
          label="Name of the proxy"
          name="name"
          required
          maxLength={40}
          defaultValue="Proxy"
          hint="On the button of the sign-in page."
          error={error?.field === "name" ? error.message : undefined}
        />
      </IntentForm>
    </Panel>
  );
}

/** Which headers become which claims. */
export function ProxyPanel({ proxySignIn }: { proxySignIn: ProxySignIn | null }) {
  if (proxySignIn === null)
    return (
      <Notice tone="warning" title="This server believes no proxy any more: PROXY_SIGN_IN_FROM is not set">
        <p>Nobody can sign in by it. Set the variable again, or turn this provider off.</p>
      </Notice>
    );
  const { headers, signOutUrl } = proxySignIn;
  return (
    <Panel
      title="Headers"
      description="The headers of the proxy become claims, and rules name claims. The configuration sets their names."
    >
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        {Object.entries(headers).map(([claim, header]) => (
          <div key={claim} className="contents">
            <dt>
              <code>{claim}</code>
            </dt>
            <dd>
              <code className="wrap-anywhere">{header}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p className="wrap-anywhere pt-3 text-muted text-sm">
        {signOutUrl === null
          ? "Signing out ends the session here alone. PROXY_SIGN_OUT_URL can name where the proxy ends its own."
          : `Signing out leads to ${signOutUrl}.`}
      </p>
    </Panel>
  );
}

/** The form for how often providers are asked whether a person is still there. */
export function LimitsForm({
  limits,
  typed,
  error,
}: {
  limits: ProviderLimits;
  typed: TypedFields | null;
  error: FieldError;
}) {
  const errorOf = toErrorOf(error);
  const begin = beginWith(typed, "provider-limits");
  return (
    <Panel
      title="People who leave"
      description="People who no longer have an account at the provider are signed out here. This is for people who must sign in there."
    >
      <IntentForm intent="provider-limits" submit="Save">
        <TextField
          label="Ask the provider again after (hours)"
          name="sessionHours"
          inputMode="numeric"
          required
          defaultValue={begin.text("sessionHours", String(limits.sessionHours))}
          hint="Browsers go there and come back by themselves. Where the provider gives a refresh token, the server also asks each hour."
          error={errorOf("sessionHours")}
        />
        <TextField
          label="Refuse personal tokens after (days)"
          name="tokenDays"
          inputMode="numeric"
          required
          defaultValue={begin.text("tokenDays", String(limits.tokenDays))}
          hint="Without a sign-in at the provider. They work again after one. Tokens of the organization are not touched."
          error={errorOf("tokenDays")}
        />
      </IntentForm>
    </Panel>
  );
}

export function ProviderForm({
  provider,
  typed,
  error,
}: {
  provider: Provider;
  typed: TypedFields | null;
  error: FieldError;
}) {
  const errorOf = toErrorOf(error);
  const begin = beginWith(typed, "save");
  const { kind, name, scopes } = provider;
  return (
    <Panel title="Settings">
      <IntentForm intent="save" submit="Save">
        <TextField label="Name" name="name" required defaultValue={begin.text("name", name)} error={errorOf("name")} />
        {kind !== "proxy" && (
          <>
            <ClientFields
              provider={provider}
              begin={begin}
              errorOf={errorOf}
              issuerHint="Another one forgets who people are there, and ends their sessions."
            />
            <CodeField
              label="Scopes"
              name="scopes"
              required
              defaultValue={begin.text("scopes", scopes)}
              error={errorOf("scopes")}
            />
          </>
        )}
      </IntentForm>
    </Panel>
  );
}

export function RedirectPanel({ uri }: { uri: string }) {
  return (
    <Panel title="Redirect URI" description="The provider must allow this address for the client.">
      <CopyField label="Redirect URI" value={uri} />
    </Panel>
  );
}
