import { Panel } from "../../ui/card.tsx";

const MATCHERS: ReadonlyArray<[name: string, meaning: string]> = [
  ["path:src/billing/*", "A file of the stack: its name and path as sent, or its path in the repository."],
  ["module:com.acme.billing.*", "A module of the stack."],
  ["url:https://example.com/checkout*", "The address of the request."],
  ["tags.region:eu", "A tag; also environment, release, level, transaction."],
  [
    "codeowners:/src/billing/",
    "A file in the repository, by the code mappings, as CODEOWNERS files name it. Only in-app frames.",
  ],
];

/** The syntax of the rules, for people who write them. */
export function OwnersHelp() {
  return (
    <Panel title="How rules are written">
      <div className="grid gap-4 text-sm">
        <p className="max-w-prose">
          The syntax is Sentry's. * stands for any text, also with slashes, and ? for one character; in codeowners: a *
          stays within a folder. Put a pattern with spaces in quotation marks. Upper and lower case differ. The first
          owner of the rule who sees the project gets the issue.
        </p>
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[minmax(12rem,20rem)_1fr]">
          {MATCHERS.map(([name, meaning]) => (
            <div key={name} className="contents">
              <dt className="wrap-anywhere font-mono text-xs leading-5">{name}</dt>
              <dd className="text-muted">{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}
