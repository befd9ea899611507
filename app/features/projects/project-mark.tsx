import { PlatformMark } from "./platform-mark.tsx";
import { toPlatform } from "./platforms.ts";

/** The square of a project's platform. It is a decoration beside the name. */
export function ProjectMark({ platform, className }: { platform: string; className?: string }) {
  return <PlatformMark family={toPlatform(platform).family} className={className} />;
}
