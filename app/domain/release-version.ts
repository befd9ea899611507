/** UTF-16 code units: of events and of tools alike, because each names what the other made. Source: Sentry's limit for both. */
export const MAX_RELEASE_LENGTH = 200;

const FORBIDDEN = /[/\p{Cc}]/u;
const RESERVED = /^(?:\.{1,2}|latest)$/i;

/**
 * The trimmed name of a release. Null: it is not allowed, because it is empty or too long, is `latest`, `.` or `..`, or has a slash
 * or a control character (such as a line break).
 */
export function cleanReleaseVersion(text: string): string | null {
  const version = text.trim();
  if (version === "" || version.length > MAX_RELEASE_LENGTH) return null;
  return FORBIDDEN.test(version) || RESERVED.test(version) ? null : version;
}

/** Numbers are digits without leading zeros, because they may be longer than a number holds. */
export interface SemanticVersion {
  major: string;
  minor: string;
  patch: string;
  revision: string;
  /** Identifiers before the build, like `rc` and `1`; empty for a release proper. */
  prerelease: string[];
  /** The part after the `+`. Null: there is none. */
  build: string | null;
}

export interface ReleaseVersion {
  /** The part before the first `@` that is not at the start. Null: there is none. */
  package: string | null;
  /** The name within its package: a commit's hash is cut to 12 characters. */
  shortVersion: string;
  /** Null: the version has no place in an order of versions, like a hash or a word. */
  semver: SemanticVersion | null;
}

const BUILD_HASH = /^(?:[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{20}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const SHORT_HASH_LENGTH = 12;
/**
 * A lone number is a version up to six digits: a longer one may be a commit's abbreviated hash, or a date, which the date
 * of the release orders as well. For the same reason a letter may follow directly only where there is a minor version.
 */
const SEMVER =
  /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9a-z-]+(?:\.[0-9a-z-]+)*)|([a-z][0-9a-z-]*(?:\.[0-9a-z-]+)*))?(?:\+(.+))?$/i;
const MAX_LONE_DIGITS = 6;

/** Parses `package@1.2.3-rc.1+build` and any other name of a release. */
export function parseReleaseVersion(release: string): ReleaseVersion {
  const at = release.indexOf("@", 1);
  const version = at < 0 ? release : release.slice(at + 1);
  return {
    package: at < 0 ? null : release.slice(0, at),
    shortVersion: BUILD_HASH.test(version) ? version.slice(0, SHORT_HASH_LENGTH) : version,
    semver: parseSemver(version),
  };
}

function parseSemver(version: string): SemanticVersion | null {
  if (BUILD_HASH.test(version)) return null;
  const match = SEMVER.exec(version);
  if (match === null) return null;
  const [, major = "", minor, patch, revision, prerelease, directPrerelease, build] = match;
  if (minor === undefined && (major.length > MAX_LONE_DIGITS || directPrerelease !== undefined)) return null;
  return {
    major: withoutZeros(major),
    minor: withoutZeros(minor),
    patch: withoutZeros(patch),
    revision: withoutZeros(revision),
    prerelease: (prerelease ?? directPrerelease)?.split(".") ?? [],
    build: build ?? null,
  };
}

function withoutZeros(digits: string | undefined): string {
  return (digits ?? "").replace(/^0+/, "") || "0";
}

/** Below 0 when `a` is older; 0 also when only builds differ that are not numbers. Only for comparable versions. */
export function compareSemver(a: SemanticVersion, b: SemanticVersion): number {
  const keyA = toSemverSortKey(a);
  const keyB = toSemverSortKey(b);
  return keyA < keyB ? -1 : keyA > keyB ? 1 : 0;
}

const DIGITS = /^\d+$/;

/**
 * Text of ASCII that sorts, character by character, as versions do: by their numbers, a prerelease before its release,
 * numeric identifiers before others, fewer before more, then by the build where that is a number.
 */
export function toSemverSortKey({ major, minor, patch, revision, prerelease, build }: SemanticVersion): string {
  const numbers = [major, minor, patch, revision].map(toNumberKey).join("");
  const buildKey = build !== null && DIGITS.test(build) ? `1${toNumberKey(withoutZeros(build))}` : "0";
  return `${numbers}${prerelease.length === 0 ? "9" : `1${prerelease.map(toIdentifierKey).join("")}0`}${buildKey}`;
}

/** The number of digits comes first, so that longer numbers sort after shorter ones. */
function toNumberKey(digits: string): string {
  return digits.length.toString().padStart(3, "0") + digits;
}

function toIdentifierKey(identifier: string): string {
  // `!` sorts before all that an identifier may hold, so that `rc` comes before `rc1`.
  return DIGITS.test(identifier) ? `1${toNumberKey(withoutZeros(identifier))}` : `2${identifier}!`;
}
