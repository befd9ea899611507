import { PLATFORMS } from "./platforms.ts";
import { isSlug, MAX_SLUG_LENGTH, toSlug } from "./project-slug.ts";

export const MAX_PROJECT_NAME_LENGTH = 64;

export interface ProjectForm {
  name: string;
  slug: string;
  platform: string;
}

export type ProjectFormErrors = Partial<Record<keyof ProjectForm, string>>;

/** An empty slug is made from the name. */
export function parseProjectForm(
  form: FormData,
): { ok: true; form: ProjectForm } | { ok: false; form: ProjectForm; errors: ProjectFormErrors } {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const name = text("name");
  const input: ProjectForm = { name, slug: text("slug") || (toSlug(name) ?? ""), platform: text("platform") };
  const errors: ProjectFormErrors = {};
  if (name === "") errors.name = "Give the project a name.";
  else if (name.length > MAX_PROJECT_NAME_LENGTH) errors.name = `At most ${MAX_PROJECT_NAME_LENGTH} characters.`;
  if (!isSlug(input.slug)) {
    errors.slug =
      input.slug === ""
        ? "The name has no letter to make a slug of: write one."
        : `1 to ${MAX_SLUG_LENGTH} lower-case letters, digits and inner hyphens; not only digits, and not “new”.`;
  }
  if (!PLATFORMS.some(({ id }) => id === input.platform)) errors.platform = "Choose a platform.";
  return Object.keys(errors).length > 0 ? { ok: false, form: input, errors } : { ok: true, form: input };
}

const MAX_ORIGINS = 100;

/** One origin a line: `*`, `https://app.example.com`, `app.example.com`, `*.example.com`, each with an optional port. */
export function parseAllowedOrigins(text: string): { ok: true; origins: string[] } | { ok: false; error: string } {
  const origins = [...new Set(text.split(/[\s,]+/).filter((line) => line !== ""))].map((origin) =>
    origin.replace(/\/+$/, ""),
  );
  if (origins.length > MAX_ORIGINS)
    return { ok: false, error: `At most ${MAX_ORIGINS} origins; these are ${origins.length}.` };
  const wrong = origins.find(
    (origin) => !/^(?:\*|(?:https?:\/\/)?(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)$/i.test(origin),
  );
  return wrong === undefined
    ? { ok: true, origins }
    : { ok: false, error: `“${wrong}” is not an origin like https://app.example.com or *.example.com.` };
}
