import { data, Form, redirect, useNavigation } from "react-router";
import { clientAddressContext, entranceContext } from "../../context.ts";
import { MAX_ORGANIZATION_NAME } from "../../domain/people/organization-name.ts";
import { answerBusy } from "../../features/auth/answer-busy.server.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { EmailField, NameField, NewPasswordField } from "../../features/auth/credential-fields.tsx";
import { finishSignIn } from "../../features/auth/finish-sign-in.server.ts";
import { parseSetUpForm, type SetUpErrors, setUp } from "../../features/auth/set-up.server.ts";
import { PlatformField } from "../../features/projects/platform-field.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Route } from "./+types/set-up.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const organization = await context.get(entranceContext).people.getOrganization();
  if (organization) throw redirect("/issues");
  // The address in the log has the code.
  return { code: url.searchParams.get("code")?.slice(0, 64) ?? "" };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const entrance = context.get(entranceContext);
  const typed = await request.formData();
  const parsed = parseSetUpForm(typed);
  const form = { ...parsed.form, password: "" };
  if (!parsed.ok) return data({ form, errors: parsed.errors }, { status: 400 });
  const now = Date.now();
  const clientAddress = context.get(clientAddressContext);
  const result = await setUp(entrance, parsed.form, { clientAddress, signal: request.signal, now });
  if (!result.ok && result.reason === "wrong-code") {
    const errors: SetUpErrors = { code: "This is not the code of this server’s last start." };
    return data({ form, errors }, { status: 400 });
  }
  if (!result.ok && result.reason !== "already-set-up") {
    const { message, init } = await answerBusy(context, result, { signal: request.signal, typed });
    const errors: SetUpErrors = result.reason === "busy" ? { password: message } : { code: message };
    return data({ form, errors }, init);
  }
  if (!result.ok) throw redirect("/sign-in");
  await entrance.reloadKeys();
  const to = result.project ? `/projects/${result.project.slug}/set-up` : "/issues";
  const isSecure = url.protocol === "https:";
  return finishSignIn(entrance, to, { userId: result.userId, request, isSecure, now, by: "set-up" });
}

export default function SetUpPage({ loaderData, actionData }: Route.ComponentProps) {
  const form = actionData?.form;
  const errors: SetUpErrors = actionData?.errors ?? {};
  const isPending = useNavigation().state !== "idle";
  return (
    <AuthPage
      title="Set up Culprit"
      intro="You become the owner of this server. The first project gets a DSN to put into your application."
    >
      <Form method="post" className="grid gap-4">
        <TextField
          label="Set-up code"
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          maxLength={64}
          hint={
            <>
              The server’s log has it, and <code>npm run account -- set-up-code</code> prints it, or{" "}
              <code>culprit account set-up-code</code> of an installed release.
            </>
          }
          defaultValue={form?.code ?? loaderData.code}
          error={errors.code}
        />
        <fieldset className="grid gap-4 border-line border-t pt-5">
          <legend className="float-left w-full font-semibold text-md">You</legend>
          <NameField defaultValue={form?.name} error={errors.name} />
          <EmailField defaultValue={form?.email} error={errors.email} />
          <NewPasswordField label="Password" name="password" error={errors.password} />
        </fieldset>
        <fieldset className="grid gap-4 border-line border-t pt-5">
          <legend className="float-left w-full font-semibold text-md">Your organization and its first project</legend>
          <TextField
            label="Organization (optional)"
            name="organization"
            autoComplete="organization"
            maxLength={MAX_ORGANIZATION_NAME}
            hint="Your company or team. Invitations and mails name it."
            defaultValue={form?.organization}
            error={errors.organization}
          />
          <TextField
            label="Project name"
            name="project"
            required
            maxLength={64}
            hint="Usually one deployable application, like “Web shop”."
            defaultValue={form?.project}
            error={errors.project}
          />
          <PlatformField value={form?.platform} error={errors.platform} />
        </fieldset>
        <Button type="submit" variant="primary" size="lg" isPending={isPending} className="mt-2">
          Set up
        </Button>
      </Form>
    </AuthPage>
  );
}

/** The answer with the page also has `Retry-After`. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta() {
  return [{ title: "Set up · Culprit" }];
}
