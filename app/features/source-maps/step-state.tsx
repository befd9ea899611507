import { CircleCheck, CircleDashed, CircleX, CloudUpload, Timer, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { StepState } from "../../domain/symbolication.ts";
import { STATE_WORDS } from "./step-words.ts";

const LOOKS: Record<StepState, { icon: ReactNode; ink: string }> = {
  found: { icon: <CircleCheck />, ink: "text-resolved" },
  missing: { icon: <CircleX />, ink: "text-error" },
  mismatch: { icon: <TriangleAlert />, ink: "text-warning" },
  not_uploaded_yet: { icon: <CloudUpload />, ink: "text-info" },
  skipped: { icon: <CircleDashed />, ink: "text-muted" },
  timed_out: { icon: <Timer />, ink: "text-warning" },
};

/** The state of a step: a shape and a word, beside the colour. */
export function StepStateMark({ state }: { state: StepState }) {
  const { icon, ink } = LOOKS[state];
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap font-semibold text-xs ${ink}`}>
      <span aria-hidden="true" className="[&_svg]:size-3.5">
        {icon}
      </span>
      {STATE_WORDS[state]}
    </span>
  );
}
