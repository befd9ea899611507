import { Check, Minus } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Panel } from "../../ui/card.tsx";

export interface Reason {
  key: string | number;
  name: string;
  to: string;
  isSeen: boolean;
  /** A sentence for each way, or a sentence why there is none. */
  sentences: readonly string[];
  detail?: ReactNode;
}

/** Why a person sees something: one row for each thing, with a sentence for each way. */
export function WhyPanel({
  title,
  description,
  reasons,
  empty,
}: {
  title: string;
  description?: string;
  reasons: readonly Reason[];
  empty: string;
}) {
  return (
    <Panel title={title} description={description} isFlush>
      {reasons.length === 0 && <p className="p-4 text-muted text-sm">{empty}</p>}
      <ul className="divide-y divide-line">
        {reasons.map(({ key, name, to, isSeen, sentences, detail }) => (
          <li key={key} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 gap-y-0.5 px-4 py-2.5">
            <span className={isSeen ? "pt-0.5 text-resolved" : "pt-0.5 text-faint"}>
              {isSeen ? (
                <Check aria-hidden="true" className="size-4" />
              ) : (
                <Minus aria-hidden="true" className="size-4" />
              )}
              <span className="sr-only">{isSeen ? "Sees it" : "Does not see it"}</span>
            </span>
            <p className="wrap-anywhere flex flex-wrap items-center gap-x-2 text-sm">
              <Link to={to} prefetch="intent" className="font-semibold hover:underline">
                {name}
              </Link>
              {detail}
            </p>
            {sentences.map((sentence) => (
              <p key={sentence} className="wrap-anywhere col-start-2 text-muted text-xs">
                {sentence}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
