import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { createCookie } from "react-router";
import type { z } from "zod";

/** Of this process: a restart ends what was begun, and people begin again. */
const key = randomBytes(32);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Browsers keep at most 4 KB. */
const MAX_CHARS = 4_000;

/** What a browser carries from one step of a sign-in to the next: unreadable and unchangeable for it, for a few minutes. */
export interface SealedCookie<Value> {
  /** The `Set-Cookie` header. */
  seal(value: Value, options: { isSecure: boolean; now: number }): Promise<string>;
  /** Null: there is none, it is over, or this server did not make it. */
  open(request: Request, now: number): Promise<Value | null>;
  /** The `Set-Cookie` header that forgets it. */
  forget(): Promise<string>;
}

/**
 * So the server keeps nothing for somebody who has not signed in. `name` is part of what is sealed: the value of one cookie is of no use
 * as another.
 */
export function createSealedCookie<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  { maxAgeMs }: { maxAgeMs: number },
): SealedCookie<z.infer<Schema>> {
  const cookie = createCookie(name, { httpOnly: true, sameSite: "lax", path: "/", maxAge: maxAgeMs / 1000 });
  return {
    seal: (value, { isSecure, now }) =>
      cookie.serialize(encrypt(JSON.stringify({ value, until: now + maxAgeMs }), name), { secure: isSecure }),
    async open(request, now) {
      const text: unknown = await cookie.parse(request.headers.get("cookie"));
      const plain = typeof text === "string" && text.length <= MAX_CHARS ? decrypt(text, name) : null;
      if (plain === null) return null;
      const { value, until }: { value: unknown; until: number } = JSON.parse(plain);
      const parsed = schema.safeParse(value);
      return until > now && parsed.success ? parsed.data : null;
    },
    forget: () => cookie.serialize("", { maxAge: 0 }),
  };
}

function encrypt(text: string, purpose: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

function decrypt(text: string, purpose: string): string | null {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}
