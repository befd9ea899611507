import { PlatformMark } from "./platform-mark.tsx";
import { toPlatform } from "./platforms.ts";

/** The square that stands for a project's platform. Decoration: the name stands beside it. */
export function ProjectMark({ platform, className }: { platform: string; className?: string }) {
  return <PlatformMark family={toPlatform(platform).family} className={className} />;
}
