import { randomBytes } from "node:crypto";
import type { BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { betterAuth } from "better-auth/minimal";
import { username } from "better-auth/plugins/username";
import { z } from "zod";
import { SESSION_MS } from "../../domain/user.ts";
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../auth/credential-limits.ts";
import { admit } from "./admit.server.ts";
import { currentAttempt, findAttempt } from "./attempt.server.ts";
import type { AuthParts } from "./auth-parts.ts";
import { COOKIE_PREFIX } from "./cookie-prefix.ts";
import { createDatabaseAdapter } from "./database-adapter.server.ts";
import { HashesAreBusy } from "./hashes-are-busy.ts";
import { providerOfAttempt } from "./provider-of-attempt.server.ts";
import type { Rows } from "./rows.ts";

/** A longer one would only fill the store. */
const MAX_USER_AGENT = 256;

/** The key that signs better-auth's cookies. It belongs to this process: after a restart, people begin their sign-in again. */
const secret = randomBytes(32).toString("base64url");

/** Begins the session of a person who was identified in a way that better-auth does not know, like a code. */
const entrance = () =>
  ({
    id: "entrance",
    endpoints: {
      enter: createAuthEndpoint.serverOnly(
        { method: "POST", body: z.object({ userId: z.string() }) },
        async ({ context, body }) => {
          await context.internalAdapter.createSession(body.userId);
        },
      ),
    },
  }) satisfies BetterAuthPlugin;

/**
 * The options of all better-auth instances in this process.
 * @param more further models, of plugins
 */
export function toCommonOptions(parts: AuthParts, more: Record<string, Rows> = {}) {
  return {
    appName: "Culprit",
    // Not used: no route is mounted, and links begin with PUBLIC_URL.
    baseURL: "http://localhost",
    secret,
    database: createDatabaseAdapter(parts, more),
    logger: { level: "error", log: (_level, _message, ...details) => noteFault(details) },
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    advanced: { cookiePrefix: COOKIE_PREFIX, database: { generateId: false }, ipAddress: { disableIpTracking: true } },
    session: { expiresIn: SESSION_MS / 1000 },
    verification: { disableCleanup: true },
    databaseHooks: {
      session: {
        create: {
          async before({ userId }) {
            const attempt = currentAttempt();
            await admit(parts, attempt, Number(userId));
            const { now, request } = attempt;
            return {
              data: {
                createdAt: new Date(now),
                expiresAt: new Date(now + SESSION_MS),
                userAgent: request.headers.get("user-agent")?.slice(0, MAX_USER_AGENT) ?? null,
              },
            };
          },
          async after({ userId, token }) {
            currentAttempt().begun = { userId: Number(userId), token };
          },
        },
      },
    },
  } satisfies BetterAuthOptions;
}

/**
 * Culprit's better-auth. Only use cases call its endpoints, within an attempt; none is reachable from outside. Decision 060 says which
 * parts are used. It is loaded when somebody signs in.
 */
export function createAuth(parts: AuthParts) {
  const { passwords } = parts;
  return betterAuth({
    ...toCommonOptions(parts),
    account: { storeStateStrategy: "cookie", updateAccountOnSignIn: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: {
        async hash(password) {
          const { lane, request } = currentAttempt();
          const hashed = await passwords.hash(password, { lane, signal: request.signal });
          if (!hashed.ok) throw new HashesAreBusy(hashed);
          return hashed.hash;
        },
        async verify({ hash, password }) {
          const attempt = currentAttempt();
          const { lane, request } = attempt;
          const check = await passwords.verify(password, hash, { lane, signal: request.signal });
          if (!check.ok) throw new HashesAreBusy(check);
          if (check.isRight) attempt.passwordHash = hash;
          return check.isRight;
        },
      },
    },
    plugins: [
      // Sign-in by the address as typed: better-auth's own sign-in takes only addresses of public domains, and companies have others.
      username({ minUsernameLength: 1, maxUsernameLength: MAX_EMAIL_LENGTH, usernameValidator: () => true }),
      entrance(),
      { id: "providers", init: () => ({ context: { socialProviders: [providerOfAttempt] } }) },
    ],
  });
}

/** Notes a fault that better-auth only logs, while it answers as if the sender were wrong. The caller decides. */
function noteFault(details: readonly unknown[]): void {
  const attempt = findAttempt();
  if (attempt) attempt.fault = details.find((detail) => detail instanceof Error) ?? attempt.fault;
}

export type Auth = ReturnType<typeof createAuth>;
