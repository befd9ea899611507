import { Panel } from "../../ui/card.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { useEventDoctor } from "./doctor-context.tsx";
import type { FileDoctor } from "./event-doctor.ts";
import { FileSteps } from "./file-steps.tsx";
import { FixList } from "./fix-list.tsx";
import { StepStateMark } from "./step-state.tsx";

/** Each file of the event's stacks, with the steps from its frames to their sources. Files that cannot be read come first. */
export function SourceMapPanel() {
  const doctor = useEventDoctor();
  if (!doctor || doctor.findings.length === 0) return null;
  const files = [...doctor.findings].sort((a, b) => b.unreadableCount - a.unreadableCount || a.index - b.index);
  const mappedCount = files.filter(({ isMapped }) => isMapped).length;
  return (
    <Panel
      id="source-maps"
      title="Source maps"
      description={`${mappedCount} of ${files.length} files of this event have one that maps their frames.`}
      actions={
        <a href={`/projects/${doctor.project}/source-maps`} className="text-link text-sm">
          Source maps of the project
        </a>
      }
    >
      <ul className="grid divide-y divide-line">
        {files.map((file) => (
          <li key={file.index} className="min-w-0 py-2 first:pt-0 last:pb-0">
            <FileSection file={file} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function FileSection({ file }: { file: FileDoctor }) {
  const { absPath, summary, steps, facts, fixes, report } = file;
  const worst = steps.find(({ state }) => state !== "found" && state !== "skipped")?.state;
  const frames = `${report.frameCount} ${report.frameCount === 1 ? "frame" : "frames"}`;
  return (
    <Disclosure
      summary={
        <span className="grid min-w-0 gap-0.5">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
            <span className="wrap-anywhere min-w-0 font-mono text-sm">{absPath}</span>
            <StepStateMark state={worst ?? (file.isMapped ? "found" : "skipped")} />
            <span className="text-faint text-xs">{frames}</span>
          </span>
          <span className="wrap-anywhere text-muted text-xs">{summary}</span>
        </span>
      }
    >
      {/* A link to a folded part opens it. */}
      <div id={`source-map-${file.index}`} className="grid scroll-mt-20 gap-3 pt-3">
        <FileSteps steps={steps} facts={facts} />
        <FixList fixes={fixes} />
      </div>
    </Disclosure>
  );
}
