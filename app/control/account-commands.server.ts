import { randomBytes } from "node:crypto";
import { nameMember } from "../domain/audit/audit-entry.ts";
import type { PasswordHasher } from "../domain/people/password-hasher.ts";
import { SESSION_MS, type User } from "../domain/user.ts";
import { isEmail, LONG_EMAIL, MAX_EMAIL_LENGTH } from "../features/auth/credential-limits.ts";
import type { AuditStore } from "../stores/state/audit-store.ts";
import type { PeopleStore, Session } from "../stores/state/people-store.ts";
import type { SecondFactorStore } from "../stores/state/second-factor-store.ts";

export interface AccountParts {
  people: PeopleStore;
  audit: AuditStore;
  secondFactors: Pick<SecondFactorStore, "getSecondFactor" | "removeSecondFactor">;
  passwords: PasswordHasher;
  /** The running server's set-up code; null when none runs, because the server makes it at its start. */
  setUpCode: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

interface AccountCommand {
  usage: string;
  what: string;
  run(parts: AccountParts, args: readonly string[]): Promise<string[]>;
}

const NEW_MANAGER = { role: "manager", teamIds: [], projectIds: [] } as const;

/** 120 bits, in characters that are easy to copy. */
const PASSWORD_BYTES = 15;

/** Commands of the operator for accounts. They need no password: a person who can read the data folder owns it anyway. */
const ACCOUNT_COMMANDS: Readonly<Record<string, AccountCommand>> = {
  list: { usage: "list", what: "Lists the people and their sessions.", run: listPeople },
  "reset-password": {
    usage: "reset-password <e-mail>",
    what: "Gives the person a new password, prints it, and ends their sessions.",
    run: resetPassword,
  },
  "make-owner": {
    usage: "make-owner <e-mail>",
    what: "Makes the person the only owner, and former owners managers. Makes the account if there is none.",
    run: makeOwner,
  },
  "turn-off-second-factor": {
    usage: "turn-off-second-factor <e-mail>",
    what: "Lets the person sign in without a code, and ends their sessions. For who has lost phone and recovery codes.",
    run: turnOffSecondFactor,
  },
  sessions: { usage: "sessions [<e-mail>]", what: "Lists what people are signed in with.", run: listSessions },
  "end-sessions": {
    usage: "end-sessions <e-mail> [<session>]",
    what: "Ends all sessions of the person, or one of them.",
    run: endSessions,
  },
  "set-up-code": {
    usage: "set-up-code",
    what: "Prints the code that the set-up page of the running server asks for.",
    run: showSetUpCode,
  },
};

/**
 * Gives the lines to print.
 *
 * @throws a sentence for the operator when the arguments are wrong, or name nobody.
 */
export async function runAccountCommand(parts: AccountParts, args: readonly string[]): Promise<string[]> {
  const [name = "", ...rest] = args;
  const command = Object.hasOwn(ACCOUNT_COMMANDS, name) ? ACCOUNT_COMMANDS[name] : undefined;
  if (!command) throw new Error(describeAccountCommands());
  if (rest.length > command.usage.split(" ").length - 1)
    throw new Error(`that is more than the command takes: ${command.usage}`);
  // The person at the command line has no name here.
  const actor = { kind: "command", id: null, name: `account ${name}`, address: null } as const;
  return await parts.audit.actAs(actor, () => command.run(parts, rest));
}

export function isAccountCommand(name: string | undefined): boolean {
  return name !== undefined && Object.hasOwn(ACCOUNT_COMMANDS, name);
}

export function describeAccountCommands(): string {
  const lines = Object.values(ACCOUNT_COMMANDS).map(({ usage, what }) => `  ${usage.padEnd(38)}${what}`);
  return ["usage: npm run account -- <command>, or of a release: culprit account <command>", ...lines].join("\n");
}

async function listPeople({ people, secondFactors, now }: AccountParts): Promise<string[]> {
  const users = await people.listUsers();
  if (users.length === 0) return ["Nobody has an account yet: the server is not set up."];
  const sessions = await people.listSessions(null, now);
  const factors = await Promise.all(users.map(({ id }) => secondFactors.getSecondFactor(id)));
  return users.map((user, index) => {
    const count = sessions.filter(({ userId }) => userId === user.id).length;
    const factor = factors[index]?.confirmedAt ? "  second factor" : "";
    return `${user.email}  ${user.name}  ${user.role}  ${count === 1 ? "1 session" : `${count} sessions`}${factor}`;
  });
}

async function resetPassword({ people, passwords }: AccountParts, [email]: readonly string[]): Promise<string[]> {
  const user = await findUser(people, email);
  const { password, hash } = await makePassword(passwords);
  await people.changePassword(user.id, hash);
  const ended = await people.deleteOtherSessions(user.id, "");
  await people.forgetOtherBrowsers(user.id, "");
  return [
    `The password of ${user.email} is now: ${password}`,
    `Sessions that have ended: ${ended}. Settings → Account changes the password to one of your own.`,
  ];
}

async function makeOwner({ people, passwords, now }: AccountParts, [email]: readonly string[]): Promise<string[]> {
  const owner = await people.getOwner();
  if (!owner) throw new Error("the server is not set up: the set-up page or CULPRIT_ADMIN makes the first owner");
  const address = requireEmail(email);
  const known = await people.findCredentials(address);
  if (known?.userId === owner.id) return [`${owner.email} is the owner already.`];
  const lines: string[] = [];
  let userId = known?.userId;
  if (userId === undefined) {
    const { password, hash } = await makePassword(passwords);
    const name = address.split("@", 1)[0] ?? address;
    userId = await people.createMember({ email: address, name, passwordHash: hash, ...NEW_MANAGER, at: now });
    lines.push(`There was no account of ${address}. It is made, with the password: ${password}`);
  }
  await people.makeOwner(userId);
  return [...lines, `${address} is the only owner now, and ${owner.email} is a manager.`];
}

async function turnOffSecondFactor(
  { people, secondFactors }: AccountParts,
  [email]: readonly string[],
): Promise<string[]> {
  const user = await findUser(people, email);
  if (!(await secondFactors.removeSecondFactor(user.id))) return [`${user.email} has no second factor.`];
  const ended = await people.deleteOtherSessions(user.id, "");
  return [`The second factor of ${user.email} is off. Sessions that have ended: ${ended}.`];
}

async function listSessions({ people, now }: AccountParts, [email]: readonly string[]): Promise<string[]> {
  const users = email === undefined ? await people.listUsers() : [await findUser(people, email)];
  const byId = new Map(users.map((user) => [user.id, user]));
  const [only] = email === undefined ? [] : users;
  const sessions = await people.listSessions(only?.id ?? null, now);
  if (sessions.length === 0) return ["Nobody is signed in."];
  return sessions.map((session) => describeSession(session, byId.get(session.userId)));
}

async function endSessions({ people, audit }: AccountParts, [email, sessionId]: readonly string[]): Promise<string[]> {
  const user = await findUser(people, email);
  const noteEnd = () =>
    audit.note({ action: "session.end-other", target: { kind: "member", id: user.id, name: nameMember(user) } });
  if (sessionId === undefined) {
    const count = await people.deleteOtherSessions(user.id, "");
    await noteEnd();
    return [`Sessions of ${user.email} that have ended: ${count}.`];
  }
  if (!(await people.endSession(user.id, sessionId)))
    throw new Error(`${user.email} has no session ${sessionId}: \`sessions ${user.email}\` lists them`);
  await noteEnd();
  return [`The session ${sessionId} of ${user.email} has ended.`];
}

async function showSetUpCode({ people, setUpCode }: AccountParts): Promise<string[]> {
  if (await people.getOwner()) return ["The server is set up, and has no set-up code any more."];
  if (setUpCode === null) throw new Error("no server runs: it makes the code when it starts, and logs it");
  return [setUpCode];
}

async function findUser(people: PeopleStore, email: string | undefined): Promise<User> {
  const address = requireEmail(email);
  const credentials = await people.findCredentials(address);
  const user = credentials && (await people.getUser(credentials.userId));
  if (user) return user;
  const users = await people.listUsers();
  const known = users.length === 0 ? "nobody has one yet" : users.map((each) => each.email).join(", ");
  throw new Error(`there is no account of ${address}. Accounts: ${known}`);
}

function requireEmail(email: string | undefined): string {
  if (email === undefined) throw new Error(`an e-mail address is missing\n${describeAccountCommands()}`);
  const address = email.trim().toLowerCase();
  if (address.length > MAX_EMAIL_LENGTH) throw new Error(LONG_EMAIL);
  if (!isEmail(address)) throw new Error(`${email} is not an e-mail address`);
  return address;
}

async function makePassword(passwords: PasswordHasher): Promise<{ password: string; hash: string }> {
  const password = randomBytes(PASSWORD_BYTES).toString("base64url");
  const hashed = await passwords.hash(password, { lane: "known" });
  if (!hashed.ok) throw new Error("too many passwords are being checked right now: try again in a few seconds");
  return { password, hash: hashed.hash };
}

function describeSession({ id, createdAt, expiresAt, userAgent }: Session, user: User | undefined): string {
  const day = (instantMs: number) => new Date(instantMs).toISOString().slice(0, 10);
  // What it says comes from the browser, and goes to a terminal.
  const browser = (userAgent ?? "unknown browser").replace(/[^\x20-\x7e]/g, "?");
  return `${id}  ${user?.email ?? "?"}  since ${day(createdAt)}, used on ${day(expiresAt - SESSION_MS)} or later  ${browser}`;
}
