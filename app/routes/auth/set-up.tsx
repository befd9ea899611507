import { data, Form, redirect, useNavigation } from "react-router";
import { entranceContext } from "../../context.ts";
import { AuthPage } from "../../features/auth/auth-page.tsx";
import { beginSession } from "../../features/auth/begin-session.server.ts";
import { BUSY_MESSAGE, MAX_EMAIL_LENGTH, MIN_PASSWORD_LENGTH } from "../../features/auth/credential-limits.ts";
import { parseSetUpForm, type SetUpErrors, setUp } from "../../features/auth/set-up.server.ts";
import { PLATFORMS } from "../../features/projects/platforms.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import type { Route } from "./+types/set-up.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const organization = await context.get(entranceContext).people.getOrganization();
  if (organization) throw redirect("/issues");
  return null;
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const engine = context.get(entranceContext);
  const parsed = parseSetUpForm(await request.formData());
  if (!parsed.ok) return data({ form: { ...parsed.form, password: "" }, errors: parsed.errors }, { status: 400 });
  const now = Date.now();
  const result = await setUp(engine, parsed.form, { signal: request.signal, now });
  if (!result.ok && result.reason === "busy") {
    return data(
      { form: { ...parsed.form, password: "" }, errors: { password: BUSY_MESSAGE } },
      { status: 429, headers: { "retry-after": String(result.retryAfterSeconds) } },
    );
  }
  if (!result.ok) throw redirect("/sign-in");
  await engine.reloadKeys();
  const to = result.project ? `/projects/${result.project.slug}` : "/issues";
  return beginSession(engine.people, to, { userId: result.userId, request, isSecure: url.protocol === "https:", now });
}

export default function SetUpPage({ actionData }: Route.ComponentProps) {
  const form = actionData?.form;
  const errors: SetUpErrors = actionData?.errors ?? {};
  const isPending = useNavigation().state !== "idle";
  return (
    <AuthPage
      title="Set up Culprit"
      intro="You become the owner of this server. The first project gets a DSN to put into your application."
    >
      <Form method="post" className="grid gap-4">
        <fieldset className="grid gap-4">
          <legend className="pb-3 font-semibold text-md">You</legend>
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            required
            maxLength={100}
            defaultValue={form?.name}
            error={errors.name}
          />
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            required
            maxLength={MAX_EMAIL_LENGTH}
            defaultValue={form?.email}
            error={errors.email}
          />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
            error={errors.password}
          />
        </fieldset>
        <fieldset className="grid gap-4 border-line border-t pt-5">
          <legend className="float-left w-full font-semibold text-md">Your first project</legend>
          <TextField
            label="Project name"
            name="project"
            required
            maxLength={64}
            hint="Usually one deployable application, like “Web shop”."
            defaultValue={form?.project}
            error={errors.project}
          />
          <SelectField
            label="Platform"
            name="platform"
            defaultValue={form?.platform ?? "javascript"}
            error={errors.platform}
          >
            {PLATFORMS.map((platform) => (
              <option key={platform.id} value={platform.id}>
                {platform.label}
              </option>
            ))}
          </SelectField>
        </fieldset>
        <Button type="submit" variant="primary" size="lg" isPending={isPending} className="mt-2">
          Set up
        </Button>
      </Form>
    </AuthPage>
  );
}

/** `Retry-After` goes out with the page, too. */
export function headers({ actionHeaders }: Route.HeadersArgs) {
  return actionHeaders;
}

export function meta() {
  return [{ title: "Set up · Culprit" }];
}
