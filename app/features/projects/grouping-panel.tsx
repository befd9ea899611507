import { GROUPING_VERSION, movedOverBy } from "../../domain/grouping-version.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Panel } from "../../ui/card.tsx";

/** Says which rules decide whether events belong to one issue, and since when. There are no settings. */
export function GroupingPanel({ movedAt }: { movedAt: number | null }) {
  return (
    <Panel title="Grouping">
      <div className="grid max-w-prose gap-2 text-sm">
        <p>
          Version {GROUPING_VERSION} of the rules decides which events are one issue. The page of an event says why.
        </p>
        {movedAt !== null && (
          <>
            <p>
              This project moved over from version 1 on <AbsoluteTime at={movedAt} />. Its issues kept their ids and
              statuses. Until <AbsoluteTime at={movedOverBy(movedAt)} />, events also find their issue by the keys of
              version 1.
            </p>
            <p>
              Crashes without symbols, minified errors of frameworks and full stacks are told apart better. Where events
              of two issues now go to one of them, the activity of both says so.
            </p>
          </>
        )}
      </div>
    </Panel>
  );
}
