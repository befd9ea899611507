import type { SentryEvent } from "../../domain/event.ts";
import { Panel } from "../../ui/card.tsx";
import { type EventProblem, listProblems } from "./list-problems.ts";

/** Lists the problems of the event as it was sent, and what Culprit removed from it. Absent if there are none. */
export function ProblemList({ event }: { event: SentryEvent }) {
  const problems = listProblems(event);
  if (problems.length === 0) return null;
  const wrong = problems.filter((problem) => !problem.isRemark);
  const changed = problems.filter((problem) => problem.isRemark);
  return (
    <Panel id="problems" title="Problems with this event" description="The event was stored anyway.">
      <div className="grid gap-4">
        <Problems title="Wrong in what was sent" problems={wrong} />
        <Problems title="Removed or cut before storing" problems={changed} />
      </div>
    </Panel>
  );
}

function Problems({ title, problems }: { title: string; problems: EventProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <section className="grid gap-1.5">
      <h3 className="text-sm">
        {title} ({problems.length})
      </h3>
      <ul className="grid gap-1 text-sm">
        {problems.map((problem) => (
          <li key={`${problem.path} ${problem.message}`}>
            {problem.path && <code className="font-semibold">{problem.path}</code>}{" "}
            <span className="text-muted">{problem.message}</span>
            {problem.isSourceMap && (
              <>
                {" "}
                <a href="#source-maps" className="text-link">
                  Steps
                </a>
              </>
            )}
            {problem.value !== undefined && (
              <>
                {" "}
                <span className="text-faint">sent:</span> <code>{JSON.stringify(problem.value).slice(0, 200)}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
