import type { SentryEvent, SentryException } from "../../domain/event.ts";
import { findRelation } from "../../domain/exception-relation.ts";
import type { GroupingExplanation } from "../../domain/grouping.ts";
import type { Issue } from "../../domain/issue.ts";
import { Badge } from "../../ui/badge.tsx";
import { NameText } from "../../ui/name-text.tsx";
import { beginLongMessage, WholeMessage } from "./long-message.tsx";
import type { StackView } from "./stack-options.ts";
import { StackTrace } from "./stack-trace.tsx";
import { ValueTree } from "./value-tree.tsx";

/**
 * The chain of exceptions, each with its stack. The one that was thrown comes first; causes and members of groups say how they are
 * related.
 */
export function ExceptionList({
  event,
  grouping,
  view,
  headline,
}: {
  event: SentryEvent;
  grouping: GroupingExplanation | null;
  view: StackView;
  /** The title of the page. The thrown exception does not repeat it. */
  headline: Pick<Issue, "type" | "value">;
}) {
  const values = event.exception?.values ?? [];
  const shown = values.map((exception, index) => ({ exception, index }));
  if (view.order === "newest") shown.reverse();
  const items = shown.map(({ exception, index }) => (
    <li key={index} id={`exception-${index}`}>
      <Exception
        exception={exception}
        relation={describeRelation(values, index)}
        isOpen={values.length <= 3 || index === values.length - 1}
        view={view}
        groupedFrames={framesOf(grouping, index)}
        index={index}
        isNamedAbove={isNamedBy(exception, headline) && index === values.length - 1}
      />
    </li>
  ));
  const firstStack = shown.findIndex(({ exception }) => exception.stacktrace);
  if (firstStack < MANY_WITHOUT_STACK) return <ol className="exceptions">{items}</ol>;
  const types = new Set(shown.slice(0, firstStack).map(({ exception }) => exception.type ?? "Error"));
  return (
    <>
      <details className="stack-folded">
        <summary>
          {firstStack} exceptions without a stack trace
          <span className="stack-folded-names">
            <bdi>{[...types].join(", ")}</bdi>
          </span>
        </summary>
        <ol className="exceptions">{items.slice(0, firstStack)}</ol>
      </details>
      <ol className="exceptions">{items.slice(firstStack)}</ol>
    </>
  );
}

/**
 * If more exceptions than this precede the first stack, they are folded: members of a group, oldest first, would push the stack off
 * the screen.
 */
const MANY_WITHOUT_STACK = 2;

/** Indexes of the frames that grouping used. `exception` null: frames of a thread, or of the event itself. */
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
  isNamedAbove,
}: {
  exception: SentryException;
  relation: string | null;
  isOpen: boolean;
  view: StackView;
  groupedFrames: ReadonlySet<number>;
  index: number;
  /** Whether the page's title is that of this exception. */
  isNamedAbove: boolean;
}) {
  const { mechanism, module, stacktrace } = exception;
  const name = exception.type ?? (mechanism?.synthetic ? "Synthetic exception" : "Error");
  const stack = stacktrace ? (
    <StackTrace
      stacktrace={stacktrace}
      view={view}
      groupedFrames={groupedFrames}
      label={name}
      place={{ kind: "exception", index }}
    />
  ) : (
    <p className="stack-note">This exception came without a stack trace.</p>
  );
  const facts = (mechanism || (isNamedAbove && module)) && (
    <MechanismFacts mechanism={mechanism} module={isNamedAbove ? module : undefined} />
  );
  // The title is above. Only the facts about how it was caught are left, and the frames matter more.
  if (isNamedAbove)
    return (
      <div className="exception">
        {stack}
        {facts}
      </div>
    );
  const { value = "" } = exception;
  const begin = beginLongMessage(value);
  return (
    <details className="exception" open={isOpen || undefined}>
      <summary>
        {relation && <span className="exception-relation">{relation}</span>}
        <span className="exception-type">
          {module && <span className="text-faint">{module}.</span>}
          <NameText text={name} />
        </span>
        {value !== "" && (
          <span className="exception-value">
            <bdi>{begin ?? value}</bdi>
          </span>
        )}
      </summary>
      {begin !== null && <WholeMessage text={value} />}
      {stack}
      {facts}
    </details>
  );
}

/** Facts about how the exception was caught. */
function MechanismFacts({
  mechanism,
  module,
}: {
  mechanism: SentryException["mechanism"];
  /** The module of the exception's type, unless the heading has it. */
  module: string | undefined;
}) {
  return (
    <dl className="mechanism">
      {module && (
        <div>
          <dt>module</dt>
          <dd>{module}</dd>
        </div>
      )}
      {mechanism?.type && (
        <div>
          <dt>mechanism</dt>
          <dd>{mechanism?.type}</dd>
        </div>
      )}
      {mechanism?.handled !== undefined && mechanism.handled !== null && (
        <div>
          <dt>handled</dt>
          <dd>{mechanism.handled ? "yes" : <Badge tone="error">no</Badge>}</dd>
        </div>
      )}
      {mechanism?.description && (
        <div>
          <dt>description</dt>
          <dd>{mechanism.description}</dd>
        </div>
      )}
      {Object.entries({ ...mechanism?.data, ...mechanism?.meta }).map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>
            <ValueTree value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Whether the title says everything that the exception's own heading would. A long title of an issue is cut. */
function isNamedBy({ type, value = "" }: SentryException, headline: Pick<Issue, "type" | "value">): boolean {
  if (type === undefined || type !== headline.type) return false;
  const said = headline.value.trim().replace(/(?:…|\.\.\.)$/, "");
  return value.trim() === said;
}

/** The relation of an exception to another one. Null for the exception that was thrown. */
function describeRelation(values: readonly SentryException[], index: number): string | null {
  const relation = findRelation(values, index);
  if (relation === null) return null;
  const { kind, parent } = relation;
  if (kind === "context") return "While handling this, another was raised";
  if (kind === "suppressed") return `Suppressed by ${parent ?? "the next"}`;
  return `${kind === "member" ? "Member" : "Cause"}${parent ? ` of ${parent}` : ""}`;
}
