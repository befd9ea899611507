import { SCRUB_KINDS, SCRUB_METHODS } from "../../domain/privacy/scrub-rules/scrub-rule.ts";
import { Panel } from "../../ui/card.tsx";

const EXAMPLES: ReadonlyArray<[rule: string, meaning: string]> = [
  ["mask email from $user.email", "A * for each character of the address."],
  ["remove anything from **.password", "The whole value under the key, at any depth."],
  ["hash anything from $user.id", "The same id gives the same hash; users still count apart."],
  ["replace /ORD-\\d+/ with [order] from $message", "What the pattern finds; without “with”, [Filtered] stands there."],
];

const PLACES: ReadonlyArray<[place: string, meaning: string]> = [
  ["extra.foo", "A path of keys from the outside, with all that is inside of it. Case does not count."],
  ["extra.*.id  **.id", "* is one key or place in a list, ** any number of them."],
  ["tags.'my tag'", "A key with other characters stands in quotes."],
  ["$string $number $boolean", "Every value of that kind."],
  [
    "$user $request $message $exception $thread $stacktrace $frame $breadcrumb $span",
    "These parts of an event. Of stack frames, only variables are looked at.",
  ],
];

/** The syntax of rules for places, for people who write them. */
export function RulesHelp() {
  return (
    <Panel title="How rules for places are written">
      <div className="grid gap-4 text-sm">
        <p className="max-w-prose">
          How: {SCRUB_METHODS.join(", ")}. What: {SCRUB_KINDS.join(", ")}, or a pattern between slashes. Then from, and
          a place. Rules run one after the other, after everything above and whatever the switches say. Lines that begin
          with # are comments.
        </p>
        <Terms terms={EXAMPLES} />
        <Terms terms={PLACES} />
      </div>
    </Panel>
  );
}

function Terms({ terms }: { terms: ReadonlyArray<[term: string, meaning: string]> }) {
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[minmax(12rem,22rem)_1fr]">
      {terms.map(([term, meaning]) => (
        <div key={term} className="contents">
          <dt className="wrap-anywhere font-mono text-xs leading-5">{term}</dt>
          <dd className="text-muted max-sm:pb-2">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
