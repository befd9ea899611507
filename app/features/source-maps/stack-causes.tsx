import { Notice } from "../../ui/notice.tsx";
import { useEventDoctor } from "./doctor-context.tsx";
import { MendList } from "./mend-list.tsx";

const MAX_SHOWN = 3;

/** On top of a stack: what its frames wait for, and what mends most of them. Absent when everything can be read. */
export function StackCauses() {
  const doctor = useEventDoctor();
  if (!doctor) return null;
  // That not everything was looked at in time stands on top of the page already.
  const causes = doctor.causes.filter(({ isPassing }) => !isPassing || doctor.failure === null);
  const [first] = causes;
  if (!first) return null;
  const rest = causes.length - MAX_SHOWN;
  return (
    <div className="border-line border-b p-3">
      <Notice
        tone={causes.every(({ isPassing }) => isPassing) ? "info" : "warning"}
        actions={
          <a href="#source-maps" className="text-link text-sm">
            All steps
          </a>
        }
      >
        <ul className="grid gap-1">
          {causes.slice(0, MAX_SHOWN).map(({ text }) => (
            <li key={text} className="wrap-anywhere">
              {text}
            </li>
          ))}
          {rest > 0 && <li className="text-muted">And {rest === 1 ? "one more reason" : `${rest} more reasons`}.</li>}
        </ul>
        {first.mends[0] && (
          <div className="pt-2">
            <MendList mends={first.mends.slice(0, 1)} />
          </div>
        )}
      </Notice>
    </div>
  );
}
