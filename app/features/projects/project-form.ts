import { z } from "zod";
import { text } from "../input/fields.ts";
import { type ReadForm, readForm } from "../input/read-form.ts";
import { PLATFORMS } from "./platforms.ts";
import { isSlug, toSlug } from "./project-slug.ts";

export const slugText = z
  .string()
  .trim()
  .refine(isSlug, "must have 1 to 50 lower-case letters, digits and inner hyphens, not only digits, and not be “new”");

const projectFields = z.object({
  name: text(64, "must not be empty: give the project a name"),
  slug: slugText.optional(),
  platform: z.enum(
    PLATFORMS.map(({ id }) => id),
    "must be one of the list",
  ),
});
type ProjectFields = z.output<typeof projectFields>;

/** If the slug is empty, it is made from the name. */
export function parseProjectForm(form: FormData): ReadForm<ProjectFields & { slug: string }> {
  const read = readForm(projectFields, form);
  if (!read.ok) return read;
  const slug = read.fields.slug ?? toSlug(read.fields.name);
  if (slug !== null) return { ok: true, fields: { ...read.fields, slug } };
  const message = "The name has no letter to make a slug of: write one.";
  return { ok: false, status: 400, field: "slug", message, errors: { slug: message } };
}

const MAX_ORIGINS = 100;

const ORIGIN = /^(?:\*|(?:https?:\/\/)?(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)$/i;

/**
 * Allowed origins: `*`, `https://app.example.com`, `app.example.com`, `*.example.com`, each with an optional port. Duplicates are
 * removed.
 */
export const originList = z.array(z.string()).transform((texts, context): string[] => {
  const origins = [...new Set(texts.filter((text) => text.trim() !== ""))].map((text) =>
    text.trim().replace(/\/+$/, ""),
  );
  const wrong = origins.find((origin) => !ORIGIN.test(origin));
  if (origins.length > MAX_ORIGINS)
    context.addIssue(`must have at most ${MAX_ORIGINS} entries; these are ${origins.length}`);
  else if (wrong !== undefined)
    context.addIssue(`“${wrong.slice(0, 80)}” is not an origin like https://app.example.com or *.example.com`);
  return origins;
});

/** Reads origins that are separated by line breaks, commas or blanks. */
export function parseAllowedOrigins(form: FormData): ReadForm<{ origins: string[] }> {
  return readForm(z.object({ origins: originList.default([]) }), {
    getAll: () => String(form.get("origins") ?? "").split(/[\s,]+/),
  });
}

export function sayTaken(slug: string): string {
  return `There is a project with the slug “${slug}” already.`;
}
