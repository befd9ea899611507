import { hash } from "node:crypto";

export type IdentityPart = string | number | boolean | null;

/**
 * The identity of an item without an event id of its own. The same for each sending of the same thing, and never the same for
 * two things: 128 bits of SHA-256, so two that are equal are as rare as two equal event ids. As JSON, so that parts cannot
 * run together.
 */
export function toIdentity(kind: string, parts: readonly IdentityPart[]): string {
  return hash("sha256", JSON.stringify([kind, ...parts]), "hex").slice(0, 32);
}

export function toIdentityPart(value: unknown): IdentityPart {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
