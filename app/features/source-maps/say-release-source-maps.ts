import type { ReleaseSourceMaps } from "./sum-release-source-maps.server.ts";

/** The state of a release's source maps in words: `12 of 14 files mapped, 2 missing`, `all 12 files mapped`, `none uploaded, 2 missing`. */
export function sayReleaseSourceMaps({ fileCount, mappedCount, wantedCount }: ReleaseSourceMaps): string {
  const missing = wantedCount === 0 ? "" : `, ${wantedCount.toLocaleString("en")} missing`;
  if (mappedCount === 0 && wantedCount === fileCount) return `none uploaded${missing}`;
  const files = `${fileCount.toLocaleString("en")} ${fileCount === 1 ? "file" : "files"}`;
  if (mappedCount === fileCount) return `${fileCount === 1 ? "its file" : `all ${files}`} mapped${missing}`;
  return `${mappedCount.toLocaleString("en")} of ${files} mapped${missing}`;
}
