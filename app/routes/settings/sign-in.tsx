import { data, Form, Link, redirect } from "react-router";
import { workspaceContext } from "../../context.ts";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { changeSignInForm, getSignInSettings } from "../../features/people/change-sign-in.server.ts";
import { AddProxyForm, LimitsForm, NewProviderForm } from "../../features/providers/provider-forms.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import type { Route } from "./+types/sign-in.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return await getSignInSettings(context.get(workspaceContext));
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = await request.formData();
  const result = await changeSignInForm(context.get(workspaceContext), { form, now: Date.now() });
  if (!result.ok) return data({ ...result, typed: keepTyped(form) }, { status: result.status });
  if (result.provider) throw redirect(`/settings/sign-in/${result.provider.id}`);
  return result;
}

export default function SignInSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const {
    requiresSecondFactor,
    withoutSecondFactor,
    ownHasSecondFactor,
    providers,
    requiresProvider,
    canAddProxy,
    limits,
    allowsShares,
  } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const error = refusal && refusal.field !== null ? { field: refusal.field, message: refusal.message } : null;
  const typed = refusal?.typed ?? null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Sign-in" trail={[{ label: "Settings", to: "/settings" }]} />
      {actionData && error === null && <Notice tone={actionData.ok ? "done" : "error"} title={actionData.message} />}
      <Panel
        title="Two-factor sign-in"
        description="Members without a second factor see nothing until they have set one up. Tokens keep working."
      >
        <Form method="post" className="grid gap-3">
          <p className="text-sm">
            {requiresSecondFactor ? "Every member needs a second factor." : "Members decide for themselves."}{" "}
            {withoutSecondFactor === 0
              ? "All of them have one."
              : `${withoutSecondFactor} of them ${withoutSecondFactor === 1 ? "has" : "have"} none yet.`}
          </p>
          {!requiresSecondFactor && !ownHasSecondFactor && (
            <p className="text-muted text-sm">
              <TextLink to="/settings/security">Set up your own first</TextLink>.
            </p>
          )}
          <div>
            <Button
              type="submit"
              name="intent"
              value={requiresSecondFactor ? "allow-one-factor" : "require-second-factor"}
              disabled={!requiresSecondFactor && !ownHasSecondFactor}
            >
              {requiresSecondFactor ? "Do not require it any more" : "Require it of everybody"}
            </Button>
          </div>
        </Form>
      </Panel>
      <Panel
        id="share-links"
        title="Links to issues for strangers"
        description="Members may share a part of an issue with people without an account, by a link that ends. It shows no data of users."
      >
        <Form method="post" className="grid gap-3">
          <p className="text-sm">
            {allowsShares ? "Members may make such links." : "Nobody may make such links, and none works."}
          </p>
          <div>
            <Button type="submit" name="intent" value={allowsShares ? "forbid-shares" : "allow-shares"}>
              {allowsShares ? "Do not allow them" : "Allow them"}
            </Button>
          </div>
        </Form>
      </Panel>
      <Panel
        title="Single sign-on"
        description="People sign in at a provider of yours. Rules say what their claims give them."
        isFlush
      >
        {providers.length === 0 ? (
          <EmptyState title="No provider yet">Everybody signs in with a password or a passkey.</EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {providers.map(({ id, name, issuer, isEnabled, ruleCount }) => (
              <li key={id} className="flex flex-wrap items-center gap-3 px-4 py-2.5 text-sm">
                <p className="wrap-anywhere mr-auto">
                  <Link to={`/settings/sign-in/${id}`} className="font-semibold hover:underline">
                    {name}
                  </Link>{" "}
                  <span className="text-muted text-xs">{issuer}</span>
                </p>
                <span className="text-muted">{ruleCount === 1 ? "1 rule" : `${ruleCount} rules`}</span>
                <Badge>{isEnabled ? "On" : "Off"}</Badge>
              </li>
            ))}
          </ul>
        )}
        {(requiresProvider || providers.some(({ isEnabled }) => isEnabled)) && (
          <Form method="post" className="grid gap-2 border-line border-t p-4">
            <p className="text-sm">
              {requiresProvider
                ? "Only owners may sign in with a password."
                : "Everybody may sign in with a password, too."}
            </p>
            <div>
              <Button type="submit" name="intent" value={requiresProvider ? "allow-passwords" : "require-provider"}>
                {requiresProvider ? "Allow passwords again" : "Allow passwords to owners only"}
              </Button>
            </div>
          </Form>
        )}
      </Panel>
      {providers.length > 0 && <LimitsForm key={`limits ${Object.values(limits)}`} {...{ limits, typed, error }} />}
      {canAddProxy && <AddProxyForm error={error} />}
      <NewProviderForm key={`new ${providers.length}`} typed={typed} error={error} />
    </div>
  );
}

export function meta() {
  return [{ title: "Sign-in · Culprit" }];
}

export const handle = { section: "settings", prefetch: "static" };
