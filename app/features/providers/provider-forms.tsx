import type { Provider } from "../../domain/people/provider.ts";
import { PROVIDER_KINDS, PROVIDER_PRESETS } from "../../domain/people/provider.ts";
import type { ProviderLimits } from "../../domain/people/provider-session.ts";
import type { ProxySignIn } from "../../domain/people/proxy-identity.ts";
import { Panel } from "../../ui/card.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { IntentForm, toFieldOf } from "../../ui/intent-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toOptions } from "../../ui/options.tsx";
import { beginWith, type TypedFields } from "../input/typed-fields.ts";

type FieldError = { field: string; message: string } | null;

export function NewProviderForm({ typed, error }: { typed: TypedFields | null; error: FieldError }) {
  const field = toFieldOf(error);
  const begin = beginWith(typed, "add-provider");
  return (
    <Panel title="Add a provider" description="It is off at first: test it, then turn it on.">
      <IntentForm intent="add-provider" submit="Add">
        <SelectField label="Kind" {...field("kind", begin.text("kind", undefined))}>
          {toOptions(
            PROVIDER_KINDS.filter((kind) => kind !== "proxy"),
            (kind) => [kind, PROVIDER_PRESETS[kind].name],
          )}
        </SelectField>
        <ClientFields
          begin={begin}
          field={field}
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
  field,
  issuerHint,
}: {
  provider?: Provider;
  begin: ReturnType<typeof beginWith>;
  field: ReturnType<typeof toFieldOf>;
  issuerHint: string;
}) {
  const isAdded = provider !== undefined;
  return (
    <>
      <CodeField
        label="Issuer"
        {...field("issuer", begin.text("issuer", provider?.issuer))}
        required={isAdded}
        hint={issuerHint}
      />
      <CodeField label="Client ID" {...field("clientId", begin.text("clientId", provider?.clientId))} required />
      <TextField
        label="Client secret"
        {...field("clientSecret")}
        type="password"
        autoComplete="off"
        required={!isAdded}
        hint={isAdded ? "Left empty, it stays as it is." : undefined}
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
  const field = toFieldOf(error);
  const begin = beginWith(typed, "provider-limits");
  return (
    <Panel
      title="People who leave"
      description="People who no longer have an account at the provider are signed out here. This is for people who must sign in there."
    >
      <IntentForm intent="provider-limits" submit="Save">
        <TextField
          label="Ask the provider again after (hours)"
          {...field("sessionHours", begin.text("sessionHours", String(limits.sessionHours)))}
          inputMode="numeric"
          required
          hint="Browsers go there and come back by themselves. Where the provider gives a refresh token, the server also asks each hour."
        />
        <TextField
          label="Refuse personal tokens after (days)"
          {...field("tokenDays", begin.text("tokenDays", String(limits.tokenDays)))}
          inputMode="numeric"
          required
          hint="Without a sign-in at the provider. They work again after one. Tokens of the organization are not touched."
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
  const field = toFieldOf(error);
  const begin = beginWith(typed, "save");
  const { kind, name, scopes } = provider;
  return (
    <Panel title="Settings">
      <IntentForm intent="save" submit="Save">
        <TextField label="Name" {...field("name", begin.text("name", name))} required />
        {kind !== "proxy" && (
          <>
            <ClientFields
              provider={provider}
              begin={begin}
              field={field}
              issuerHint="Another one forgets who people are there, and ends their sessions."
            />
            <CodeField label="Scopes" {...field("scopes", begin.text("scopes", scopes))} required />
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
