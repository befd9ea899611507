import { Info, TriangleAlert } from "lucide-react";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useEventDoctor } from "./doctor-context.tsx";
import { FixList } from "./fix-list.tsx";

/** One line above a stack: which mapping of R8 or ProGuard its names are from, or which one is missing. */
export function RetraceNote() {
  const retrace = useEventDoctor()?.retrace;
  if (!retrace) return null;
  const { state, text, mappings, fixes } = retrace;
  const isMissing = fixes.length > 0;
  return (
    <details className="stack-causes" data-passing={!isMissing || undefined}>
      <summary>
        {isMissing ? <TriangleAlert aria-hidden="true" /> : <Info aria-hidden="true" />}
        <span className="stack-causes-text">{text}</span>
        <span className="stack-causes-more">{isMissing ? "How to fix it" : "Where they are from"}</span>
      </summary>
      <div className="grid gap-2">
        <ul className="grid gap-1">
          {mappings.map(({ debugId, text: outcome, uploadId, uploadedAt }) => (
            <li key={debugId} className="wrap-anywhere">
              Mapping <code>{debugId}</code> {outcome}
              {uploadId !== null && uploadedAt !== null && (
                <>
                  , upload {uploadId}, <RelativeTime at={uploadedAt} />
                </>
              )}
              .
            </li>
          ))}
        </ul>
        {state === "found" && (
          <p className="text-muted">Classes of Android and Java keep their names, so no mapping has them.</p>
        )}
        <FixList fixes={fixes} />
      </div>
    </details>
  );
}
