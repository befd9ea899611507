import { randomBytes } from "node:crypto";
import { createCookie } from "react-router";
import type { z } from "zod";
import { openText, sealText } from "./sealed-text.ts";

/** The key of this process. A restart ends sign-ins that have begun, and people begin again. */
const key = randomBytes(32);
/** Browsers keep at most 4 KB. */
const MAX_CHARS = 4_000;

/** Data that a browser carries from one step of a sign-in to the next for a few minutes. The browser can neither read nor change it. */
export interface SealedCookie<Value> {
  /** The `Set-Cookie` header. */
  seal(value: Value, options: { isSecure: boolean; now: number }): Promise<string>;
  /** Null: there is none, it has expired, or this server did not make it. */
  open(request: Request, now: number): Promise<Value | null>;
  /** The `Set-Cookie` header that forgets it. */
  forget(): Promise<string>;
}

/**
 * With the cookie, the server stores nothing for people who have not signed in. `name` is part of the sealed data: the value of one
 * cookie is not valid in another.
 */
export function createSealedCookie<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  { maxAgeMs }: { maxAgeMs: number },
): SealedCookie<z.infer<Schema>> {
  const cookie = createCookie(name, { httpOnly: true, sameSite: "lax", path: "/", maxAge: maxAgeMs / 1000 });
  return {
    seal: (value, { isSecure, now }) =>
      cookie.serialize(sealText(JSON.stringify({ value, until: now + maxAgeMs }), { key, purpose: name }), {
        secure: isSecure,
      }),
    async open(request, now) {
      const text: unknown = await cookie.parse(request.headers.get("cookie"));
      const plain =
        typeof text === "string" && text.length <= MAX_CHARS ? openText(text, { key, purpose: name }) : null;
      if (plain === null) return null;
      const { value, until }: { value: unknown; until: number } = JSON.parse(plain);
      const parsed = schema.safeParse(value);
      return until > now && parsed.success ? parsed.data : null;
    },
    forget: () => cookie.serialize("", { maxAge: 0 }),
  };
}
