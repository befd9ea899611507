/** A key of somebody's device or password manager that signs in to their account. Instants are milliseconds since 1970. */
export interface Passkey {
  id: number;
  /** Base64url, as the browser names it. */
  credentialId: string;
  /** Base64url: the name of the account towards browsers. All passkeys of an account have the same. */
  userHandle: string;
  /** The host name that browsers bind it to. */
  site: string;
  /** Ways to reach the device, like `usb` and `internal`. */
  transports: string[];
  /** Whether it is also elsewhere, in an account of the person's password manager. */
  isBackedUp: boolean;
  name: string;
  createdAt: number;
  /** Null: never. */
  usedAt: number | null;
}

/** Nobody has more devices. */
export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME = 64;

export type PasskeySite = { ok: true; host: string; origin: string } | { ok: false; reason: string };

/**
 * The domain that this server's passkeys belong to. If browsers cannot make any here: a sentence that says why.
 * @param origin of the request
 */
export function findPasskeySite({ publicUrl, origin }: { publicUrl: string | null; origin: string }): PasskeySite {
  const site = new URL(publicUrl ?? origin);
  const { hostname, protocol } = site;
  if (site.origin !== origin)
    return { ok: false, reason: `Passkeys belong to ${site.origin}. Open Culprit there, or change PUBLIC_URL.` };
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith("["))
    return {
      ok: false,
      reason: `Browsers make passkeys for host names, and this is an IP address: ${hostname}. Open Culprit by a name.`,
    };
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (protocol !== "https:" && !isLocal)
    return { ok: false, reason: "Browsers make passkeys over https only, and this is plain http." };
  return { ok: true, host: hostname, origin: site.origin };
}
