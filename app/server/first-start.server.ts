import type { PasswordHasher } from "../domain/people/password-hasher.ts";
import type { ProjectKey } from "../domain/project.ts";
import { toDsn } from "../features/projects/project-dsn.ts";
import type { Log } from "../log.server.ts";
import type { State } from "../stores/state/state.ts";

/** The organization that is made if nobody chose a slug. */
const ORGANIZATION = { slug: "default", name: "Default" };

/**
 * Sets a new server up from its configuration, for operators without a browser: owner, organization `default`, first
 * project. Existing ones stay as they are.
 */
export async function setUpFromConfig(
  { state, passwords }: { state: State; passwords: PasswordHasher },
  { admin, projectSlug }: { admin: { email: string; password: string } | null; projectSlug: string | null },
  { log, now }: { log: Log; now: () => number },
): Promise<void> {
  const owner = await state.people.getOwner();
  if (owner) {
    if (admin && admin.email !== owner.email.toLowerCase()) {
      log.warn(
        { configured: admin.email, owner: owner.email },
        "CULPRIT_ADMIN names somebody else than the owner, and is ignored: it is for the first start. `npm run account -- make-owner` (or culprit account make-owner) changes the owner",
      );
    }
    return;
  }
  if (!admin) {
    if (projectSlug) log.warn("CULPRIT_PROJECT is set without CULPRIT_ADMIN: set both, or set up in the browser");
    return;
  }
  const hashed = await passwords.hash(admin.password, { lane: "known" });
  // Before the server listens, no other request for hashing can exist.
  if (!hashed.ok) throw new Error("no password can be hashed at start");
  const result = await state.people.setUp({
    organization: ORGANIZATION,
    owner: {
      email: admin.email,
      name: admin.email.split("@", 1)[0] ?? admin.email,
      passwordHash: hashed.hash,
    },
    project: projectSlug ? { slug: projectSlug, name: projectSlug, platform: "other" } : null,
    at: now(),
  });
  if (result.ok) log.info({ owner: admin.email, project: projectSlug }, "set up from the configuration");
}

/** Logs it if `CULPRIT_ADMIN` has another password than the owner: somebody may have changed it to get in again. */
export async function compareConfiguredPassword(
  { state, passwords }: { state: State; passwords: PasswordHasher },
  admin: { email: string; password: string } | null,
  log: Log,
): Promise<void> {
  const owner = await state.people.getOwner();
  const credentials = admin && (await state.people.findCredentials(admin.email));
  if (!credentials || credentials.userId !== owner?.id) return;
  const check = await passwords.verify(admin.password, credentials.passwordHash, { lane: "known" });
  if (!check.ok || check.isRight) return;
  log.info(
    { owner: owner.email },
    "CULPRIT_ADMIN has another password than the owner, and is ignored: it is for the first start. `npm run account -- reset-password` (or culprit account reset-password) makes a new one",
  );
}

/** Logs how to go on: with the DSN of the configured project, or with the page that sets up a new server. */
export async function announceProject(
  { state, setUpCode, log }: { state: State; setUpCode: string; log: Log },
  { projectSlug, url }: { projectSlug: string | null; url: string },
): Promise<void> {
  const dsn = projectSlug && (await findDsn(state, projectSlug, url));
  if (dsn) log.info({ dsn }, `DSN of ${projectSlug}`);
  else if (!(await state.people.getOwner()))
    log.info({ url: `${url}/set-up?code=${setUpCode}`, code: setUpCode }, "not set up yet: open this page");
}

/** The DSN of a project as one URL; null when it has no key that works. */
export async function findDsn(state: State, projectSlug: string, baseUrl: string): Promise<string | null> {
  const key = await findKey(state, projectSlug);
  return key && toDsn(baseUrl, key);
}

/** The oldest key of a project that works. */
export async function findKey(state: State, projectSlug: string): Promise<ProjectKey | null> {
  const project = await state.directory.getProjectBySlug(projectSlug);
  if (!project) return null;
  const keys = (await state.directory.listKeys()).filter((key) => key.projectId === project.id && key.isEnabled);
  return keys.sort((a, b) => a.id - b.id)[0] ?? null;
}
