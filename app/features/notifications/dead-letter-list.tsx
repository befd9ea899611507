import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import type { DeadLetter } from "./get-notification-page.server.ts";

/** Messages that did not arrive and are not tried any more. If there are none, nothing is shown. */
export function DeadLetterList({ letters }: { letters: readonly DeadLetter[] }) {
  if (letters.length === 0) return null;
  return (
    <Panel title="Messages given up" description="The newest 100 are kept." isFlush>
      <ul aria-label="Messages given up" className="divide-y divide-line">
        {letters.map((letter) => (
          <li key={letter.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm">
            <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
              <p className="wrap-anywhere font-semibold">{sayWhat(letter)}</p>
              <p className="wrap-anywhere text-muted">
                To {letter.to}, given up <RelativeTime at={letter.diedAt} /> after{" "}
                {letter.attempts === 1 ? "one try" : `${letter.attempts} tries`}:{" "}
                <code className="text-xs">{letter.failure}</code>
              </p>
            </div>
            <div className="flex gap-2">
              <ButtonForm fields={{ letter: letter.id }} name="intent" value="retry" size="sm">
                Send again
              </ButtonForm>
              <ButtonForm fields={{ letter: letter.id }} name="intent" value="drop" size="sm" variant="quiet">
                Drop
              </ButtonForm>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function sayWhat({ title, issueCount }: DeadLetter): string {
  const first = title ?? "An issue that is gone";
  return issueCount > 1 ? `${first}, and ${(issueCount - 1).toLocaleString("en")} more` : first;
}
