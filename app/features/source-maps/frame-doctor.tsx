import { useState } from "react";
import type { StackPlace } from "../../domain/symbolication.ts";
import { useFrameDoctor } from "./doctor-context.tsx";
import type { FrameDoctor } from "./explain-event.ts";
import { FileSteps } from "./file-steps.tsx";
import { MendList } from "./mend-list.tsx";

/** Below a frame: why it cannot be read, or how it was mapped. Absent where a source map is no question. */
export function FrameDoctorFold({ place, frameIndex }: { place: StackPlace | null; frameIndex: number }) {
  const doctor = useFrameDoctor(place, frameIndex);
  // Drawn when it is opened: the frames of a file share most of it, and a stack may have a hundred.
  const [isOpen, setIsOpen] = useState(false);
  if (!doctor || (!doctor.isMapped && !doctor.isUnreadable)) return null;
  return (
    <details className="frame-doctor" onToggle={(toggled) => setIsOpen(toggled.currentTarget.open)}>
      <summary>{doctor.isMapped ? "How this frame was mapped" : "Why is this frame not readable?"}</summary>
      {isOpen ? <FrameDoctorDetail doctor={doctor} /> : <FrameDoctorBrief doctor={doctor} />}
    </details>
  );
}

function FrameDoctorDetail({ doctor: { explained, file, summary } }: { doctor: FrameDoctor }) {
  if (explained === null) return <p className="text-muted text-sm">{summary}</p>;
  return (
    <div className="grid gap-3">
      <FileSteps steps={explained.steps} facts={file?.facts ?? []} />
      <MendList mends={explained.mends} />
    </div>
  );
}

/** What is there before script is: the sentence, and the way to the rest further down. */
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
