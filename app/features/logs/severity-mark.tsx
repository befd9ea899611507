import type { LogSeverity } from "../../domain/logs/log-severity.ts";
import { LevelMark } from "../../ui/level-mark.tsx";

/** The severity as shape, colour and word. `trace` looks like `debug`, but has its own word. */
export function SeverityMark({ severity }: { severity: LogSeverity }) {
  if (severity !== "trace") return <LevelMark level={severity} showWord />;
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true">
        <LevelMark level="debug" />
      </span>
      <span className="font-semibold text-debug text-xs">trace</span>
    </span>
  );
}
