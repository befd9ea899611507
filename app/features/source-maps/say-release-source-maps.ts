import type { ReleaseSourceMaps } from "./sum-release-source-maps.server.ts";

/** `12 of 14 files mapped, 2 wanted`, `all 12 files mapped`, `none uploaded, 2 wanted`. */
export function sayReleaseSourceMaps({ fileCount, mappedCount, wantedCount }: ReleaseSourceMaps): string {
  const wanted = wantedCount === 0 ? "" : `, ${wantedCount.toLocaleString("en")} wanted`;
  if (mappedCount === 0 && wantedCount === fileCount) return `none uploaded${wanted}`;
  const files = `${fileCount.toLocaleString("en")} ${fileCount === 1 ? "file" : "files"}`;
  if (mappedCount === fileCount) return `${fileCount === 1 ? "its file" : `all ${files}`} mapped${wanted}`;
  return `${mappedCount.toLocaleString("en")} of ${files} mapped${wanted}`;
}
