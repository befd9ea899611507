import { Split } from "lucide-react";
import type { CSSProperties } from "react";
import { nameSplitVariable, type SplitChoice } from "../../domain/grouping-rules/issue-split.ts";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { capitalize } from "../issues/list-in-words.ts";

/** The properties in which the events of the issue differ. */
export function SplitChoices({
  issueId,
  choices,
  chosen,
}: {
  issueId: number;
  choices: readonly SplitChoice[];
  chosen: string;
}) {
  return (
    <Panel
      title="Split this issue by"
      description="Values in which its newest events differ. Each value gets an issue of its own."
      isFlush
    >
      {choices.length === 0 && (
        <p className="p-4 text-muted text-sm">
          The stored events of this issue are alike in every tag, in release, message, function and path. There is
          nothing to split it by.
        </p>
      )}
      <ul className="divide-y divide-line">
        {choices.map((choice) => (
          <li key={choice.variable} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 text-sm">
            <div className="grid min-w-0 flex-1 basis-56 gap-1.5">
              <h3 className="font-semibold">
                {capitalize(nameSplitVariable(choice.variable).replace(/^the /, ""))}{" "}
                <span className="font-normal text-muted text-xs">{sayCount(choice)}</span>
              </h3>
              <ol className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
                {choice.values.slice(0, 4).map(({ value, count }) => (
                  <Share key={value} words={value === "" ? "(empty)" : value} count={count} of={choice.eventCount} />
                ))}
                {choice.withoutCount > 0 && (
                  <Share words="None: they stay" count={choice.withoutCount} of={choice.eventCount} isFaint />
                )}
              </ol>
            </div>
            <LinkButton
              to={`/issues/${issueId}/split?by=${encodeURIComponent(choice.variable)}`}
              size="sm"
              icon={<Split aria-hidden="true" />}
              aria-label={`Preview the split by ${nameSplitVariable(choice.variable)}`}
              aria-current={choice.variable === chosen ? "true" : undefined}
              preventScrollReset
            >
              Preview
            </LinkButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Share({ words, count, of, isFaint }: { words: string; count: number; of: number; isFaint?: boolean }) {
  return (
    <li className="tag-share" style={{ "--share": `${(count / Math.max(of, 1)) * 100}%` } as CSSProperties}>
      <span className={`min-w-0 flex-1 truncate ${isFaint ? "text-muted" : ""}`} title={words}>
        <bdi>{words}</bdi>
      </span>
      <span className="tabular text-muted">{count.toLocaleString("en")}</span>
    </li>
  );
}

function sayCount({ distinctCount, eventCount }: SplitChoice): string {
  const values = distinctCount === 1 ? "1 value" : `${distinctCount.toLocaleString("en")} values`;
  return `${values} in the newest ${eventCount.toLocaleString("en")} events`;
}
