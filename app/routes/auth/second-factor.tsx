import { data, redirect } from "react-router";
import { entranceContext, viewerContext, workspaceContext } from "../../context.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { FormError } from "../../features/auth/form-error.tsx";
import { requireViewer, toLocalPath } from "../../features/auth/require-viewer.server.ts";
import { FactorSetUpSteps, RecoveryCodes } from "../../features/second-factor/factor-steps.tsx";
import { revalidateConflict } from "../../features/second-factor/revalidate-conflict.ts";
import { changeSecondFactor, getSecondFactorState } from "../../features/second-factor/set-up-second-factor.server.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import type { Route } from "./+types/second-factor.ts";

// If the organization requires a second factor, this is the only page that a person without one can see. It reads nothing else.

export async function loader({ context, url }: Route.LoaderArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const state = await getSecondFactorState(context.get(entranceContext), {
    viewer,
    host: url.hostname,
    now: Date.now(),
  });
  const { name, requiresSecondFactor } = context.get(workspaceContext).organization;
  return {
    state,
    email: viewer.email,
    organization: name,
    isRequired: requiresSecondFactor,
    to: toLocalPath(url.searchParams.get("to")),
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const isRequired = context.get(workspaceContext).organization.requiresSecondFactor;
  const form = await request.formData();
  const result = await changeSecondFactor(context.get(entranceContext), {
    viewer,
    form,
    request,
    isRequired,
    now: Date.now(),
  });
  if (!result.ok) {
    const headers = result.retryAfter === null ? undefined : { "retry-after": String(result.retryAfter) };
    return data(result, { status: result.status, ...(headers && { headers }) });
  }
  if (result.codes === null && result.done !== null) throw redirect("/settings/security");
  return result;
}

export const shouldRevalidate = revalidateConflict;

export default function SecondFactorPage({ loaderData, actionData }: Route.ComponentProps) {
  const { state, email, organization, isRequired, to } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const error = refusal && refusal.field !== null ? { field: refusal.field, message: refusal.message } : null;
  const codes = actionData?.ok ? actionData.codes : null;
  return (
    <AuthPage
      title={state.on ? "Two-factor sign-in is on" : "Set up two-factor sign-in"}
      intro={
        isRequired && !state.on
          ? `${organization} asks everybody for a code of an authenticator app at each sign-in.`
          : undefined
      }
    >
      <div className="grid gap-4">
        {refusal && error === null && <FormError>{refusal.message}</FormError>}
        {codes && <RecoveryCodes codes={codes} />}
        {state.on ? (
          <LinkButton to={to} variant="primary">
            Continue
          </LinkButton>
        ) : (
          <>
            <FactorSetUpSteps state={state} email={email} error={error} />
            <div className="border-line border-t pt-4">
              <ButtonForm action="/sign-out" variant="quiet">
                Sign out
              </ButtonForm>
            </div>
          </>
        )}
      </div>
    </AuthPage>
  );
}

/** This page shows a secret and recovery codes, so the browser must not cache it. Its answer also has `Retry-After`. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  const all = new Headers(actionHeaders);
  all.set("cache-control", "no-store");
  return all;
}

export function meta() {
  return [{ title: "Two-factor sign-in · Culprit" }];
}
