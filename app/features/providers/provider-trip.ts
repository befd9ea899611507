/**
 * `test`: an owner sees which claims come, and nobody is signed in. `connect`: a person who is signed in connects an account. `silent`: a
 * session is due, and the provider answers without asking the person.
 */
export const PROVIDER_MODES = ["sign-in", "connect", "test", "silent"] as const;
export type ProviderMode = (typeof PROVIDER_MODES)[number];

/** A browser's visit to a provider, and its reason. */
export interface ProviderTrip {
  providerId: number;
  mode: ProviderMode;
  /** Where the browser goes afterwards: a path of this server. */
  to: string;
  /** The user who asked to connect or to test; null: a sign-in. */
  userId: number | null;
}

/** A longer path is not kept: the trip is in a cookie, and browsers limit cookies to 4 KB. */
const MAX_TO = 1_000;
/** better-auth keeps the trip as the address for a failed sign-in. No browser is ever sent there. */
const PLACE = "http://trip.invalid/";

/** The trip as a text, which better-auth keeps encrypted while the browser is away. */
export function writeTrip({ providerId, mode, to, userId }: ProviderTrip): string {
  const search = new URLSearchParams({
    provider: String(providerId),
    mode,
    to: to.length <= MAX_TO ? to : "/issues",
    ...(userId !== null && { user: String(userId) }),
  });
  return `${PLACE}?${search}`;
}

/** Null: the text is no trip. */
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
