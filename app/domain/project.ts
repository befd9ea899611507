import type { SdkFeature } from "./sdk-feature.ts";
import type { ServiceRule } from "./service-rule.ts";
import type { SourceLinks } from "./source-link.ts";

/** All instants are milliseconds since 1970. */
export interface Project {
  /** Digits only in a DSN: SDKs refuse anything else. */
  id: number;
  slug: string;
  name: string;
  /** Platform chosen at set-up, like `python-django`; decides the snippet. */
  platform: string;
  /** Origins from which browsers may send: exact, `*.example.com`, or `*`. Empty means all. */
  allowedOrigins: string[];
  /** Null: frames have no links into a repository. */
  sourceLinks: SourceLinks | null;
  /** Whether source maps that nobody uploaded are fetched from where the application serves its files. */
  fetchesSourceMaps: boolean;
  /** Rules that move services of OpenTelemetry to other projects. A service that no rule names stays here. */
  serviceRules: ServiceRule[];
  /** Milliseconds within which people are satisfied by a transaction. */
  apdexMs: number;
  /** When the project moved to version 2 of the grouping. Null: it began with version 2. See domain/grouping-version.ts. */
  groupingMovedAt: number | null;
  createdAt: number;
  /** When its first event was stored. Null: there was none yet. */
  firstEventAt: number | null;
}

/** A client key: what a DSN carries. */
export interface ProjectKey {
  id: number;
  projectId: number;
  label: string;
  /** 32 lower-case hex characters. */
  publicKey: string;
  isEnabled: boolean;
  /** At most `count` items in `windowSeconds`. Null: no limit. */
  rateLimit: { count: number; windowSeconds: number } | null;
  /** SDK features in this key's loader script beside errors. */
  sdkFeatures: readonly SdkFeature[];
  createdAt: number;
}

/** The project to which Culprit itself reports. It is made when the server is set up, and left out of sums over projects. */
export const BUILT_IN_SLUG = "culprit";

/** Puts Culprit's own project behind the others, for forms that begin with the first project. */
export function withOwnLast<P extends { slug: string }>(projects: readonly P[]): P[] {
  const isOwn = ({ slug }: P) => slug === BUILT_IN_SLUG;
  return [...projects.filter((project) => !isOwn(project)), ...projects.filter(isOwn)];
}
