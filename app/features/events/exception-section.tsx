import type { SentryEvent, SentryException } from "../../domain/event.ts";
import type { GroupingExplanation } from "../../domain/grouping.ts";
import { Badge } from "../../ui/badge.tsx";
import type { StackView } from "./stack-options.ts";
import { StackTrace } from "./stack-trace.tsx";
import { ValueTree } from "./value-tree.tsx";

/** The chain of exceptions, what was thrown first, each with its stack; causes and members of groups say what they are. */
export function ExceptionList({
  event,
  grouping,
  view,
}: {
  event: SentryEvent;
  grouping: GroupingExplanation | null;
  view: StackView;
}) {
  const values = event.exception?.values ?? [];
  const shown = values.map((exception, index) => ({ exception, index }));
  if (view.order === "newest") shown.reverse();
  return (
    <ol className="exceptions">
      {shown.map(({ exception, index }) => (
        <li key={index} id={`exception-${index}`}>
          <Exception
            exception={exception}
            relation={describeRelation(values, index)}
            isOpen={values.length <= 3 || index === values.length - 1}
            view={view}
            groupedFrames={framesOf(grouping, index)}
            index={index}
          />
        </li>
      ))}
    </ol>
  );
}

/** Indexes of the frames that counted for the group. `exception` null: those of a thread, or of the event itself. */
export function framesOf(grouping: GroupingExplanation | null, exception: number | null): ReadonlySet<number> {
  const frames = new Set<number>();
  for (const part of grouping?.contributions ?? []) {
    if (part.kind === "frame" && part.exception === exception) frames.add(part.frame);
  }
  return frames;
}

function Exception({
  exception,
  relation,
  isOpen,
  view,
  groupedFrames,
  index,
}: {
  exception: SentryException;
  relation: string | null;
  isOpen: boolean;
  view: StackView;
  groupedFrames: ReadonlySet<number>;
  index: number;
}) {
  const { mechanism, module, stacktrace } = exception;
  const name = exception.type ?? (mechanism?.synthetic ? "Synthetic exception" : "Error");
  const data = { ...mechanism?.data, ...mechanism?.meta };
  return (
    <details className="exception" open={isOpen || undefined}>
      <summary>
        {relation && <span className="exception-relation">{relation}</span>}
        <span className="exception-type">
          {module && <span className="text-faint">{module}.</span>}
          {name}
        </span>
        {exception.value && <span className="exception-value">{exception.value}</span>}
      </summary>
      {mechanism && (
        <dl className="mechanism">
          <div>
            <dt>mechanism</dt>
            <dd>{mechanism.type}</dd>
          </div>
          {mechanism.handled !== undefined && mechanism.handled !== null && (
            <div>
              <dt>handled</dt>
              <dd>{mechanism.handled ? "yes" : <Badge tone="error">no</Badge>}</dd>
            </div>
          )}
          {mechanism.description && (
            <div>
              <dt>description</dt>
              <dd>{mechanism.description}</dd>
            </div>
          )}
          {Object.entries(data).map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>
                <ValueTree value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {stacktrace ? (
        <StackTrace
          stacktrace={stacktrace}
          view={view}
          groupedFrames={groupedFrames}
          label={name}
          place={{ kind: "exception", index }}
        />
      ) : (
        <p className="stack-note">This exception came without a stack trace.</p>
      )}
    </details>
  );
}

/** How an exception hangs together with the one that was thrown; null for that one. */
function describeRelation(values: readonly SentryException[], index: number): string | null {
  if (index === values.length - 1) return null;
  const { source, parent_id: parentId } = values[index]?.mechanism ?? {};
  const parent =
    parentId === undefined ? undefined : values.find((other) => other.mechanism?.exception_id === parentId);
  const of = parent?.type ? ` of ${parent.type}` : "";
  if (source?.startsWith("errors[") || source?.startsWith("exceptions[") || parent?.mechanism?.is_exception_group)
    return `Member${of}`;
  if (source?.startsWith("suppressed")) return `Suppressed by ${parent?.type ?? "the next"}`;
  if (source === "__context__") return "While handling this, another was raised";
  return `Cause${of}`;
}
