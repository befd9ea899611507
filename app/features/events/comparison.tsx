import { ArrowLeftRight } from "lucide-react";
import { Fragment } from "react";
import { Link } from "react-router";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ChoiceLinks } from "../../ui/choice-links.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type ComparedSection, countDifferences } from "./compare-events.ts";
import { type ComparedGroup, type ComparedValue, type MarkedText, markDifference } from "./compare-values.ts";
import { toComparePath } from "./comparison-choice.ts";
import { sayDetails } from "./comparison-words.ts";
import type { ComparedEvent, EventComparison } from "./get-comparison.server.ts";

/** Two events side by side, section by section. `search`: that of the present page. */
export function Comparison({
  comparison: { left, right, sections },
  issueId,
  search,
}: {
  comparison: EventComparison;
  issueId: number;
  search: URLSearchParams;
}) {
  const isAll = search.get("show") === "all";
  const { differing, same } = countDifferences(sections);
  const here = { left: left.eventId, right: right.eventId };
  return (
    <>
      <div className="compare-bar">
        <p className="mr-auto text-sm" role="status">
          <strong>{count(differing, "value differs", "values differ")}</strong>
          <span className="text-muted">, {count(same, "is the same", "are the same")}</span>
        </p>
        <ChoiceLinks
          label="What is shown"
          links={[
            { to: `?${withShow(search, null)}`, label: "Only differences", isCurrent: !isAll },
            { to: `?${withShow(search, "all")}`, label: "Everything", isCurrent: isAll },
          ]}
        />
        <LinkButton
          to={toComparePath(issueId, { left: here.right, right: here.left }, search)}
          size="sm"
          icon={<ArrowLeftRight aria-hidden="true" />}
        >
          Swap
        </LinkButton>
        <LinkButton to={`/issues/${issueId}/compare.md?${new URLSearchParams(here)}`} size="sm" reloadDocument>
          Markdown
        </LinkButton>
      </div>
      <Lost letter="A" event={left} />
      <Lost letter="B" event={right} />
      <Card className="compare">
        <div className="compare-head">
          <EventHead letter="A" event={left} issueId={issueId} />
          <EventHead letter="B" event={right} issueId={issueId} />
        </div>
        {sections.map((section) => (
          <Section key={section.id} section={section} isAll={isAll} />
        ))}
      </Card>
    </>
  );
}

function EventHead({ letter, event, issueId }: { letter: "A" | "B"; event: ComparedEvent; issueId: number }) {
  return (
    <div className="compare-event" data-letter={letter}>
      <Link to={`/issues/${issueId}/events/${event.eventId}`} className="text-link font-mono">
        <span className="sr-only">Event {letter}: </span>
        {event.eventId.slice(0, 8)}
      </Link>
      <AbsoluteTime at={event.occurredAt} className="text-muted text-xs" />
      {event.user !== null && <bdi className="truncate text-muted text-xs">{event.user}</bdi>}
      <Link to={`/issues/${issueId}/events?with=${event.eventId}`} className="text-link text-xs">
        Compare with another
      </Link>
    </div>
  );
}

function Lost({ letter, event }: { letter: "A" | "B"; event: ComparedEvent }) {
  const sentence = sayDetails(event);
  if (sentence === null) return null;
  return (
    <div className="pb-3">
      <Notice tone="warning" title={`Event ${letter} is not whole`}>
        {sentence}
      </Notice>
    </div>
  );
}

function Section({ section: { id, title, groups, noun }, isAll }: { section: ComparedSection; isAll: boolean }) {
  const { differing, same } = countDifferences([{ id, title, groups, noun }]);
  const shown = isAll ? groups : groups.filter(hasDifference);
  const alike = groups.length - shown.length;
  return (
    <section className="compare-section" aria-labelledby={`compare-${id}`}>
      <h2 id={`compare-${id}`} className="compare-title">
        {title}{" "}
        <span className="compare-count">
          {differing === 0
            ? `= the same in both (${count(same, "value", "values")})`
            : `${differing.toLocaleString("en")} ≠ · ${same.toLocaleString("en")} =`}
        </span>
      </h2>
      {shown.length > 0 && (
        <table className="compare-table" aria-labelledby={`compare-${id}`}>
          <thead className="sr-only">
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Event A</th>
              <th scope="col">Event B</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((group, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups of two events do not move
              <Fragment key={index}>
                {group.title !== null && <GroupHead group={group} />}
                {(isAll || group.side === "both" ? group.values : []).map((value, place) =>
                  isAll || !value.isSame ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <ValueRow key={place} value={value} />
                  ) : null,
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
      {alike > 0 && shown.length > 0 && (
        <p className="compare-alike">
          {noun === null
            ? `${count(alike, "more part is", "more parts are")} the same in both.`
            : `${count(alike, `more ${noun} is`, `more ${noun}s are`)} the same in both.`}
        </p>
      )}
    </section>
  );
}

function hasDifference({ side, values }: ComparedGroup): boolean {
  return side !== "both" || values.some(({ isSame }) => !isSame);
}

function GroupHead({ group }: { group: ComparedGroup }) {
  const words =
    group.side === "left"
      ? "only in A"
      : group.side === "right"
        ? "only in B"
        : hasDifference(group)
          ? "≠ differs"
          : "= the same";
  return (
    <tr className="compare-group" data-side={group.side}>
      <th colSpan={3} scope="rowgroup">
        <bdi>{group.title}</bdi> <span className="compare-side">{words}</span>
      </th>
    </tr>
  );
}

function ValueRow({ value: { name, left, right, isSame } }: { value: ComparedValue }) {
  const marked = isSame || left === null || right === null ? null : markDifference(left, right);
  return (
    <tr className="compare-row" data-same={isSame || undefined}>
      <th scope="row">
        <span className="compare-sign" aria-hidden="true">
          {isSame ? "=" : "≠"}
        </span>
        <span className="sr-only">{isSame ? "Same: " : "Differs: "}</span>
        <bdi>{name}</bdi>
      </th>
      <Side letter="A" text={left} marked={marked?.left ?? null} isSame={isSame} />
      <Side letter="B" text={right} marked={marked?.right ?? null} isSame={isSame} />
    </tr>
  );
}

function Side({
  letter,
  text,
  marked,
  isSame,
}: {
  letter: "A" | "B";
  text: string | null;
  /** The parts of the text that differ. Null: all of it differs, or nothing. */
  marked: MarkedText | null;
  isSame: boolean;
}) {
  if (text === null)
    return (
      <td data-letter={letter}>
        <span className="text-faint">not there</span>
      </td>
    );
  const said = text === "" ? "(empty)" : text;
  return (
    <td data-letter={letter}>
      <bdi>
        {isSame ? (
          said
        ) : marked === null ? (
          <mark>{said}</mark>
        ) : (
          <>
            {marked.before}
            {marked.differing !== "" && <mark>{marked.differing}</mark>}
            {marked.after}
          </>
        )}
      </bdi>
    </td>
  );
}

function withShow(search: URLSearchParams, show: string | null): URLSearchParams {
  const next = new URLSearchParams(search);
  if (show === null) next.delete("show");
  else next.set("show", show);
  return next;
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
