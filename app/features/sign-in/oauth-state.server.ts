import { COOKIE_PREFIX } from "./cookie-prefix.ts";

/** The cookie in which better-auth keeps, encrypted, what it needs when the browser comes back from a provider. */
const NAME = `${COOKIE_PREFIX}.oauth_state`;

/** The `Set-Cookie` headers of better-auth's answer that the browser gets: only that of this cookie. */
export function keepOAuthState(headers: Headers, { isSecure }: { isSecure: boolean }): string[] {
  return headers
    .getSetCookie()
    .filter((cookie) => cookie.startsWith(`${NAME}=`))
    .map((cookie) => (isSecure ? `${cookie}; Secure` : cookie));
}

/** The `Set-Cookie` header that forgets it. */
export function forgetOAuthState(): string {
  return `${NAME}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`;
}
