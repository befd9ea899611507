/**
 * `test`: an owner sees which claims come, and nobody is signed in. `connect`: of somebody who is signed in. `silent`: a session is due, and
 * the provider answers without asking the person anything.
 */
export const PROVIDER_MODES = ["sign-in", "connect", "test", "silent"] as const;
export type ProviderMode = (typeof PROVIDER_MODES)[number];

/** What a browser goes to a provider for. */
export interface ProviderTrip {
  providerId: number;
  mode: ProviderMode;
  /** Where it goes afterwards: a path of this server. */
  to: string;
  /** Who asked to connect or to test; null: to sign in. */
  userId: number | null;
}

/** A page's address that is longer is forgotten: the trip is in a cookie, which browsers cut at 4 KB. */
const MAX_TO = 1_000;
/** better-auth keeps the trip as the address for a sign-in that fails. Nobody is ever sent there. */
const PLACE = "http://trip.invalid/";

/** As better-auth keeps it, sealed, while the browser is away. */
export function writeTrip({ providerId, mode, to, userId }: ProviderTrip): string {
  const search = new URLSearchParams({
    provider: String(providerId),
    mode,
    to: to.length <= MAX_TO ? to : "/issues",
    ...(userId !== null && { user: String(userId) }),
  });
  return `${PLACE}?${search}`;
}

/** Null: it is no trip. */
export function readTrip(text: string): ProviderTrip | null {
  const url = URL.parse(text);
  if (url === null || !text.startsWith(PLACE)) return null;
  const mode = PROVIDER_MODES.find((each) => each === url.searchParams.get("mode"));
  const user = url.searchParams.get("user");
  if (mode === undefined) return null;
  return {
    providerId: Number(url.searchParams.get("provider")),
    mode,
    to: url.searchParams.get("to") ?? "/issues",
    userId: user === null ? null : Number(user),
  };
}
