import type { NearMiss } from "../domain/symbolication.ts";
import type { ArtifactIndex } from "../stores/state/artifact-index.ts";
import { fileNameOf, withoutHash } from "./frame-urls.ts";
import type { FileWork, ResolveContext } from "./resolve-files.ts";

/** The number of uploaded URLs that are compared to find near misses. */
const MAX_RELEASE_URLS = 5_000;
const MAX_RECENT_BUNDLES = 10;
const MAX_NEAR_MISSES = 5;
/** Files of one event; they mostly lack the same. */
const MAX_DIAGNOSED_FILES = 30;

type DiagnosisStore = Pick<
  ArtifactIndex,
  "listReleaseUrls" | "listArtifactBundles" | "listArtifactFiles" | "findFilesByUrl"
>;

/** For the files of an event without any answering upload, looks for uploads that nearly fit. Ends early when `isLate` returns true. */
export async function diagnoseFiles(
  works: readonly FileWork[],
  context: Pick<ResolveContext, "projectId" | "release" | "dist">,
  artifacts: DiagnosisStore,
  isLate: () => boolean,
): Promise<void> {
  const store = rememberAnswers(artifacts);
  for (const work of works.filter(isLacking).slice(0, MAX_DIAGNOSED_FILES)) {
    if (isLate()) return;
    await diagnoseFile(work, context, store);
  }
}

function isLacking({ report: { upload } }: FileWork): boolean {
  return upload.state === "not_uploaded_yet" || upload.state === "skipped";
}

/** The files of an event ask for the same lists. */
function rememberAnswers(artifacts: DiagnosisStore): DiagnosisStore {
  const remember = <Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) => {
    const answers = new Map<string, Promise<Answer>>();
    return (...args: Args): Promise<Answer> => {
      const key = JSON.stringify(args);
      const answer = answers.get(key) ?? ask(...args);
      answers.set(key, answer);
      return answer;
    };
  };
  return {
    listReleaseUrls: remember((...args) => artifacts.listReleaseUrls(...args)),
    listArtifactBundles: remember((...args) => artifacts.listArtifactBundles(...args)),
    listArtifactFiles: remember((...args) => artifacts.listArtifactFiles(...args)),
    findFilesByUrl: (...args) => artifacts.findFilesByUrl(...args),
  };
}

/** Finds uploads that nearly fit a file, and adds them to the file's report. */
async function diagnoseFile(
  work: FileWork,
  { projectId, release, dist }: Pick<ResolveContext, "projectId" | "release" | "dist">,
  artifacts: DiagnosisStore,
): Promise<void> {
  const { upload } = work.report;
  const nearMisses: NearMiss[] = [];
  const wanted = new Set(work.candidates.flatMap((url) => [url, `${url}.map`]));
  const name = fileNameOf(work.path);
  const stem = withoutHash(name);
  if (release !== null) {
    const urls = await artifacts.listReleaseUrls({ projectId, release }, MAX_RELEASE_URLS);
    upload.releaseHasUploads = urls.length > 0;
    for (const { url, dist: otherDist } of urls) {
      const kind = compareUrl(url, otherDist, { wanted, name, stem, dist });
      if (kind !== null) nearMisses.push({ kind, url, release, dist: otherDist, debugId: null });
    }
  }
  const { bundles } = await artifacts.listArtifactBundles({ projectId, cursor: null, limit: MAX_RECENT_BUNDLES });
  for (const { id, releases } of bundles) {
    for (const other of releases) {
      if (other.version === release) continue;
      const where = { projectId, release: other.version, dist: other.dist };
      for (const { url } of await artifacts.findFilesByUrl(where, work.candidates)) {
        if (url === null) continue;
        nearMisses.push({ kind: "other-release", url, release: other.version, dist: other.dist, debugId: null });
      }
    }
    const kind = work.debugId === null ? "has-debug-id" : "other-debug-id";
    for (const { url, path, debugId, type } of await artifacts.listArtifactFiles(id)) {
      if (debugId === null || type !== "minified_source" || name === "" || fileNameOf(url ?? path) !== name) continue;
      const [first] = releases;
      nearMisses.push({
        kind,
        url: url ?? path,
        release: first?.version ?? null,
        dist: first?.dist ?? null,
        debugId,
      });
    }
  }
  upload.nearMisses = keepBest(nearMisses);
  if (upload.nearMisses.length > 0 && upload.state === "not_uploaded_yet") upload.state = "mismatch";
}

function compareUrl(
  url: string,
  otherDist: string | null,
  { wanted, name, stem, dist }: { wanted: ReadonlySet<string>; name: string; stem: string | null; dist: string | null },
): NearMiss["kind"] | null {
  if (wanted.has(url)) return otherDist === dist ? null : "other-dist";
  const otherName = fileNameOf(url).replace(/\.map$/, "");
  if (name !== "" && otherName === name) return "other-path";
  return stem !== null && withoutHash(otherName) === stem ? "other-build" : null;
}

/** The order in which they are likely to be the cause. */
const KINDS: readonly NearMiss["kind"][] = [
  "other-dist",
  "other-debug-id",
  "other-path",
  "has-debug-id",
  "other-release",
  "other-build",
];

function keepBest(nearMisses: readonly NearMiss[]): NearMiss[] {
  const distinct = new Map(nearMisses.map((each) => [JSON.stringify(each), each]));
  return [...distinct.values()].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)).slice(0, MAX_NEAR_MISSES);
}
