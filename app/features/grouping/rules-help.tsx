import { Panel } from "../../ui/card.tsx";

const MATCHERS: ReadonlyArray<[names: string, meaning: string]> = [
  ["error.type, error.value", "Type and value of an exception. Both must hold for the same one."],
  ["message", "The message of the event, or the value of any exception."],
  ["stack.function, stack.module, stack.abs_path, stack.package, app", "A frame. All must hold for the same one."],
  ["level, logger, release, sdk, tags.NAME", "Of the event."],
  ["family", "native, javascript, other or all; several with commas."],
  ["thread.name, thread.crashed, …", "The thread that crashed, or the only one."],
];

const ACTIONS: ReadonlyArray<[action: string, meaning: string]> = [
  ["+app, -app", "The frame is the application's own code, or not."],
  ["+group, -group", "The frame counts, or not."],
  ["^-group, v+group", "^ means all frames that it called, v all that led to it."],
  ["max-frames=N, min-frames=N", "Only the N innermost count; with fewer, none does."],
  ["[ stack.function:a ] | stack.function:b", "Frame b, called by frame a. The same behind it: b | [ c ]."],
];

/** The syntax of rules, for people who write them. */
export function RulesHelp() {
  return (
    <Panel title="How rules are written">
      <div className="grid gap-4 text-sm">
        <p className="max-w-prose">
          The syntax is Sentry's. A matcher is a name, a colon and a pattern. In a pattern * stands for any text and ?
          for one character; in paths * stays within a folder, and ** does not. ! before a matcher means not. Put a
          pattern with spaces in quotation marks. Lines that begin with # say nothing.
        </p>
        <Words label="Matchers" words={MATCHERS} />
        <Words label="What stack-trace rules do" words={ACTIONS} />
        <p className="max-w-prose">
          A fingerprint has parts: words, and variables like <code>{"{{ error.type }}"}</code>,{" "}
          <code>{"{{ transaction }}"}</code> or <code>{"{{ tags.bank }}"}</code>. <code>{"{{ default }}"}</code> is what
          Culprit groups by itself. At its end a rule may name the issue: <code>title="…"</code>.
        </p>
      </div>
    </Panel>
  );
}

function Words({ label, words }: { label: string; words: ReadonlyArray<[string, string]> }) {
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold text-sm">{label}</h3>
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[minmax(12rem,22rem)_1fr]">
        {words.map(([word, meaning]) => (
          <div key={word} className="contents">
            <dt className="font-mono text-xs leading-5">{word}</dt>
            <dd className="text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
