import { data, Form } from "react-router";
import { workspaceContext } from "../../context.ts";
import { changeSignInForm, getSignInSettings } from "../../features/people/change-sign-in.server.ts";
import { PeopleTabs } from "../../features/people/people-tabs.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/sign-in.ts";

export async function loader({ context }: Route.LoaderArgs) {
  return await getSignInSettings(context.get(workspaceContext));
}

export async function action({ context, request }: Route.ActionArgs) {
  const result = await changeSignInForm(context.get(workspaceContext), await request.formData());
  return result.ok ? result : data(result, { status: result.status });
}

export default function SignInSettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { requiresSecondFactor, withoutSecondFactor, ownHasSecondFactor } = loaderData;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Sign-in" trail={[{ label: "Settings", to: "/settings" }]} />
      <PeopleTabs current="sign-in" />
      {actionData && <Notice tone={actionData.ok ? "done" : "error"} title={actionData.message} />}
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
            <p className="text-muted text-sm">Set up your own first: Settings → Your sign-in.</p>
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
    </div>
  );
}

export function meta() {
  return [{ title: "Sign-in · Culprit" }];
}

export const handle = { section: "settings", prefetch: "static" };
