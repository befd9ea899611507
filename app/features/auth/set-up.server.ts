import type { Project } from "../../domain/project.ts";
import type { State } from "../../stores/state/state.ts";
import { PLATFORMS } from "../projects/platforms.ts";
import { toSlug } from "../projects/project-slug.ts";
import { hashPassword, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./password.server.ts";

export interface SetUpForm {
  name: string;
  email: string;
  password: string;
  project: string;
  platform: string;
}

export type SetUpErrors = Partial<Record<keyof SetUpForm, string>>;

/** The organization has this slug, in the web API too: one server is one organization. */
const ORGANIZATION = { slug: "default", name: "Default" };

export function parseSetUpForm(
  form: FormData,
): { ok: true; form: SetUpForm } | { ok: false; form: SetUpForm; errors: SetUpErrors } {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const input: SetUpForm = {
    name: text("name"),
    email: text("email").toLowerCase(),
    password: String(form.get("password") ?? ""),
    project: text("project"),
    platform: text("platform"),
  };
  const errors: SetUpErrors = {};
  if (input.name === "") errors.name = "Say what you are called.";
  else if (input.name.length > 100) errors.name = "At most 100 characters.";
  if (!/^[^\s@]+@[^\s@]+$/.test(input.email) || input.email.length > 254)
    errors.email = "This is not an e-mail address.";
  if (input.password.length < MIN_PASSWORD_LENGTH) errors.password = `At least ${MIN_PASSWORD_LENGTH} characters.`;
  else if (input.password.length > MAX_PASSWORD_LENGTH) errors.password = `At most ${MAX_PASSWORD_LENGTH} characters.`;
  if (input.project === "") errors.project = "Give the project a name.";
  else if (input.project.length > 64) errors.project = "At most 64 characters.";
  else if (toSlug(input.project) === null) errors.project = "The name needs a letter.";
  if (!PLATFORMS.some(({ id }) => id === input.platform)) errors.platform = "Choose a platform.";
  return Object.keys(errors).length > 0 ? { ok: false, form: input, errors } : { ok: true, form: input };
}

/** Makes organization, owner and first project at once. Fails when somebody was faster. */
export async function setUp(
  state: State,
  form: SetUpForm,
  now: number,
): Promise<{ ok: true; userId: number; project: Project | null } | { ok: false; reason: "already-set-up" }> {
  return state.people.setUp({
    organization: ORGANIZATION,
    owner: { email: form.email, name: form.name, passwordHash: await hashPassword(form.password) },
    project: { slug: toSlug(form.project) ?? "project", name: form.project, platform: form.platform },
    at: now,
  });
}
