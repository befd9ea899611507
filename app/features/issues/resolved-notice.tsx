import type { Issue } from "../../domain/issue.ts";
import { Notice } from "../../ui/notice.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { toReleasePath } from "../releases/release-paths.ts";
import { explainResolution, SHORT_COMMIT_LENGTH, toShortName } from "./resolution-words.ts";

/** Says that the issue is resolved, since when, and what it waits for. */
export function ResolvedNotice({ issue }: { issue: Pick<Issue, "resolution" | "statusChangedAt"> }) {
  const { resolution, statusChangedAt } = issue;
  return (
    <Notice tone="done">
      Resolved <ResolvedIn resolution={resolution} />
      <RelativeTime at={statusChangedAt} />. {explainResolution(resolution)}
    </Notice>
  );
}

/** The words of `sayResolution` with links, and a blank after them. */
function ResolvedIn({ resolution }: Pick<Issue, "resolution">) {
  switch (resolution?.kind) {
    case undefined:
      return null;
    case "release":
      return (
        <>
          in <ReleaseName version={resolution.version} />{" "}
        </>
      );
    case "next_release":
      return resolution.after === null ? (
        "in the first release "
      ) : (
        <>
          in the next release after <ReleaseName version={resolution.after} />{" "}
        </>
      );
    case "commit":
      return (
        <>
          by commit <code title={resolution.commitId}>{resolution.commitId.slice(0, SHORT_COMMIT_LENGTH)}</code>
          {resolution.repository && ` of ${resolution.repository}`}{" "}
        </>
      );
  }
}

/** The short name of a release, with the full one on hover, as a link to its page. */
export function ReleaseName({ version, className }: { version: string; className?: string }) {
  return (
    <TextLink to={toReleasePath(version)} title={version} className={`break-all font-mono ${className ?? ""}`}>
      {toShortName(version)}
    </TextLink>
  );
}
