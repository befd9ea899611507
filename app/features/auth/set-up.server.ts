import { toOneLine } from "../../domain/one-line.ts";
import { findOrganizationNameFault } from "../../domain/people/organization-name.ts";
import type { HasherBusy, PasswordHasher } from "../../domain/people/password-hasher.ts";
import type { SetUpCode } from "../../domain/people/set-up-code.ts";
import type { Project } from "../../domain/project.ts";
import type { PeopleStore } from "../../stores/state/people-store.ts";
import { PLATFORMS } from "../projects/platforms.ts";
import { toSlug } from "../projects/project-slug.ts";
import { checkNewAccount } from "./check-new-account.ts";

export interface SetUpForm {
  code: string;
  name: string;
  email: string;
  password: string;
  /** May be empty: the organization can get its name later. */
  organization: string;
  project: string;
  platform: string;
}

export type SetUpErrors = Partial<Record<keyof SetUpForm, string>>;

/** The organization of this server, which has only one. The web API uses the slug, too. The name is the default if none is given. */
const ORGANIZATION = { slug: "default", name: "Default" };

export function parseSetUpForm(
  form: FormData,
): { ok: true; form: SetUpForm } | { ok: false; form: SetUpForm; errors: SetUpErrors } {
  const text = (name: string) => toOneLine(String(form.get(name) ?? ""));
  const input: SetUpForm = {
    code: text("code"),
    name: text("name"),
    email: text("email").toLowerCase(),
    password: String(form.get("password") ?? ""),
    organization: text("organization"),
    project: text("project"),
    platform: text("platform"),
  };
  const account = checkNewAccount(form, null);
  const errors: SetUpErrors = account.ok ? {} : { ...account.errors };
  if (input.code === "") errors.code = "Copy it from the server’s log.";
  if (input.organization !== "") {
    const fault = findOrganizationNameFault(input.organization);
    if (fault !== null) errors.organization = fault;
  }
  if (input.project === "") errors.project = "Give the project a name.";
  else if (input.project.length > 64) errors.project = "At most 64 characters.";
  else if (toSlug(input.project) === null) errors.project = "The name needs a letter.";
  if (!PLATFORMS.some(({ id }) => id === input.platform)) errors.platform = "Choose a platform.";
  return Object.keys(errors).length > 0 ? { ok: false, form: input, errors } : { ok: true, form: input };
}

export type SetUpResult =
  | { ok: true; userId: number; project: Project | null }
  | { ok: false; reason: "already-set-up" }
  | { ok: false; reason: "wrong-code" }
  | { ok: false; reason: "too-many-attempts"; retryAfterSeconds: number }
  | HasherBusy;

/** Makes organization, owner and first project together, for a person who knows the set-up code. Fails if somebody else was faster. */
export async function setUp(
  { people, passwords, setUpCode }: { people: PeopleStore; passwords: PasswordHasher; setUpCode: SetUpCode },
  form: SetUpForm,
  { clientAddress, signal, now }: { clientAddress: string | null; signal: AbortSignal; now: number },
): Promise<SetUpResult> {
  // Checked first, so that strangers cannot have passwords hashed for nothing.
  if (await people.getOwner()) return { ok: false, reason: "already-set-up" };
  const check = setUpCode.check(form.code, clientAddress);
  if (!check.ok) {
    const { retryAfterSeconds } = check;
    return retryAfterSeconds === null
      ? { ok: false, reason: "wrong-code" }
      : { ok: false, reason: "too-many-attempts", retryAfterSeconds };
  }
  const hashed = await passwords.hash(form.password, { lane: "strangers", signal });
  if (!hashed.ok) return hashed;
  return people.setUp({
    organization: { ...ORGANIZATION, ...(form.organization !== "" && { name: form.organization }) },
    owner: { email: form.email, name: form.name, passwordHash: hashed.hash },
    project: { slug: toSlug(form.project) ?? "project", name: form.project, platform: form.platform },
    at: now,
  });
}
