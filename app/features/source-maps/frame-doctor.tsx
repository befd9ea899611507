import { useState } from "react";
import type { FrameDoctor } from "./event-doctor.ts";
import { FileSteps } from "./file-steps.tsx";
import { FixList } from "./fix-list.tsx";

/**
 * Says why an in-app frame cannot be read, or how a frame was mapped. Absent if source maps do not matter, and for frames of
 * libraries without an uploaded map.
 */
export function FrameDoctorFold({ doctor }: { doctor: FrameDoctor | null }) {
  // It is drawn when it is opened: the frames of a file share most of it, and a stack may have a hundred.
  const [isOpen, setIsOpen] = useState(false);
  if (!doctor || (!doctor.isMapped && !isMissed(doctor))) return null;
  return (
    <details className="frame-doctor fold" onToggle={(toggled) => setIsOpen(toggled.currentTarget.open)}>
      <summary>{doctor.isMapped ? "How this frame was mapped" : "Why is this frame not readable?"}</summary>
      {isOpen ? <FrameDoctorDetail doctor={doctor} /> : <FrameDoctorBrief doctor={doctor} />}
    </details>
  );
}

/** Whether the reader misses the frame's source. */
export function isMissed({ isUnreadable, isOwn }: FrameDoctor): boolean {
  return isUnreadable && isOwn;
}

function FrameDoctorDetail({ doctor: { explained, file, summary } }: { doctor: FrameDoctor }) {
  if (explained === null) return <p className="text-muted text-sm">{summary}</p>;
  return (
    <div className="grid gap-3">
      <FileSteps steps={explained.steps} facts={file?.facts ?? []} />
      <FixList fixes={explained.fixes} />
    </div>
  );
}

/** Shown before script runs: the sentence, and a link to the details further down. */
function FrameDoctorBrief({ doctor: { file, summary } }: { doctor: FrameDoctor }) {
  return (
    <p className="wrap-anywhere text-muted text-sm">
      {summary}{" "}
      {file && (
        <a href={`#source-map-${file.index}`} className="text-link">
          All steps
        </a>
      )}
    </p>
  );
}
