import { Info, TriangleAlert } from "lucide-react";
import { useEventDoctor } from "./doctor-context.tsx";
import { FixList } from "./fix-list.tsx";

const MAX_SHOWN = 3;

/**
 * One line above a stack: why its own frames cannot be read. When it is opened, it shows the fix for most of them. Absent if all of
 * them can be read.
 */
export function StackCauses() {
  const doctor = useEventDoctor();
  if (!doctor) return null;
  // The page already says that not everything was checked in time.
  const causes = doctor.causes.filter(({ isPassing }) => !isPassing || doctor.failure === null);
  const [first, ...others] = causes;
  if (!first) return null;
  const shown = others.slice(0, MAX_SHOWN - 1);
  const rest = others.length - shown.length;
  return (
    <div role="status">
      <details className="stack-causes" data-passing={causes.every(({ isPassing }) => isPassing) || undefined}>
        <summary>
          {first.isPassing ? <Info aria-hidden="true" /> : <TriangleAlert aria-hidden="true" />}
          <span className="stack-causes-text">{first.text}</span>
          <span className="stack-causes-more">How to fix it</span>
        </summary>
        <div className="grid gap-2">
          {others.length > 0 && (
            <ul className="grid gap-1">
              {shown.map(({ text }) => (
                <li key={text} className="wrap-anywhere">
                  {text}
                </li>
              ))}
              {rest > 0 && (
                <li className="text-muted">And {rest === 1 ? "one more reason" : `${rest} more reasons`}.</li>
              )}
            </ul>
          )}
          <FixList fixes={first.fixes.slice(0, 1)} />
          <a href="#source-maps" className="justify-self-start text-link text-sm">
            All steps
          </a>
        </div>
      </details>
    </div>
  );
}
