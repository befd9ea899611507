import { data, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import type { Provider } from "../../domain/people/provider.ts";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { toRedirectUri } from "../../features/providers/begin-provider-sign-in.server.ts";
import { changeProviderByForm } from "../../features/providers/change-provider.server.ts";
import { ProviderForm, ProxyPanel, RedirectPanel } from "../../features/providers/provider-forms.tsx";
import { RulesPanel, UndoRemoval } from "../../features/providers/rules-panel.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/provider.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { state, scope, settings } = context.get(workspaceContext);
  const id = /^\d{1,15}$/.test(params.provider) ? Number(params.provider) : 0;
  const [provider, teams] = await Promise.all([state.providers.getProvider(scope, id), state.members.listTeams(scope)]);
  if (!provider) throw data("There is no such provider.", { status: 404 });
  return {
    provider,
    teams: teams.map(({ id: teamId, name }) => ({ id: teamId, name })),
    proxySignIn: settings.proxySignIn,
    redirectUri: toRedirectUri(settings, url.origin, id),
  };
}

export async function action({ context, request, params }: Route.ActionArgs) {
  const providerId = /^\d{1,15}$/.test(params.provider) ? Number(params.provider) : 0;
  const form = await request.formData();
  const result = await changeProviderByForm(context.get(workspaceContext), { form, providerId });
  if (!result.ok) return data({ ...result, typed: keepTyped(form) }, { status: result.status });
  if (result.provider === null) throw redirect("/settings/sign-in");
  return result;
}

export default function ProviderPage({ loaderData, actionData }: Route.ComponentProps) {
  const { provider, teams, proxySignIn, redirectUri } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const error = refusal && refusal.field !== null ? { field: refusal.field, message: refusal.message } : null;
  const typed = refusal?.typed ?? null;
  const done = actionData?.ok ? actionData.message : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader
        title={provider.name}
        trail={[
          { label: "Settings", to: "/settings" },
          { label: "Sign-in", to: "/settings/sign-in" },
        ]}
        description={describe(provider)}
        actions={
          <>
            <LinkButton to={`/sign-in/with/${provider.id}?mode=test`} reloadDocument prefetch="none" variant="primary">
              Test sign-in
            </LinkButton>
            <ButtonForm name="intent" value={provider.isEnabled ? "turn-off" : "turn-on"}>
              {provider.isEnabled ? "Turn off" : "Turn on"}
            </ButtonForm>
            {!provider.isEnabled && (
              <ButtonForm name="intent" value="delete" variant="quiet">
                Delete
              </ButtonForm>
            )}
          </>
        }
      />
      {done && (
        <Notice
          tone="done"
          title={done}
          actions={actionData?.ok && actionData.removed && <UndoRemoval removed={actionData.removed} />}
        />
      )}
      {refusal && error === null && <Notice tone="error" title={refusal.message} />}
      {provider.kind === "proxy" ? <ProxyPanel proxySignIn={proxySignIn} /> : <RedirectPanel uri={redirectUri} />}
      <RulesPanel key={`rules ${provider.rules.length}`} {...{ provider, teams, typed, error }} />
      <ProviderForm key={`settings ${done ?? ""}`} {...{ provider, typed, error }} />
    </div>
  );
}

function describe({ isEnabled, kind }: Provider): string {
  if (!isEnabled) return "Off: only you can test it.";
  return kind === "proxy" ? "On: whom the proxy names is signed in." : "On: the sign-in page offers it.";
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [{ title: `${loaderData?.provider.name ?? "Provider"} · Culprit` }];
}

export const handle = { section: "settings" };
