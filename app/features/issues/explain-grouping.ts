import type { SentryEvent, Stacktrace } from "../../domain/event.ts";
import { isFindingEvent } from "../../domain/findings/finding.ts";
import type { GroupingContribution, GroupingExplanation, GroupingOmissionReason } from "../../domain/grouping.ts";
import { capitalize, count, enumerate, quote } from "./list-in-words.ts";

/** One part of the grouping key, as a row of a list. */
export interface ExplainedPart {
  /** `Exception type`, `Frame`, `Message`, … */
  label: string;
  /** The text that was hashed: `TypeError`, `checkout in cart.js`, `user <int> not found`. */
  text: string;
  /** The part's place in the event. Null: it has no such place. */
  place: { exception: number | null; frame: number | null } | null;
}

/** Parts of the event that did not count, and the reason. */
export interface ExplainedOmission {
  reason: GroupingOmissionReason | "not-in-app" | "nameless";
  count: number;
  /** `14 frames of libraries did not count.` */
  sentence: string;
}

export interface GroupingAccount {
  /** One or two sentences that say why the event is in its issue. */
  sentence: string;
  /** Parts in the order of the key. */
  parts: ExplainedPart[];
  /** Omissions, the most frequent first. */
  leftOut: ExplainedOmission[];
}

/** Explains why an event is in its issue. Without the event, numbers that have to be counted in it are left out. */
export function explainGrouping(explanation: GroupingExplanation, event: SentryEvent | null): GroupingAccount {
  const parts = explanation.contributions.map((part) => explainPart(part, event));
  const leftOut = explainOmissions(explanation, event);
  const because = `${capitalize(keySentence(explanation, event))}.`;
  const [first] = leftOut.filter(({ reason }) => reason === "not-in-app");
  const said = first === undefined ? because : `${because.slice(0, -1)}; ${first.sentence}`;
  return { sentence: [said, ...rulingSentences(explanation)].join(" "), parts, leftOut };
}

/** Sentences about rules of the project that had an effect, except for fingerprint rules. */
function rulingSentences({ ruling }: GroupingExplanation): string[] {
  const said: string[] = [];
  if (ruling?.stack !== undefined)
    said.push(`Stack-trace rules of the project changed which frames count: ${enumerate(ruling.stack.map(quote))}.`);
  if (ruling?.split !== undefined)
    said.push(`The split ${quote(ruling.split.name)} adds ${ruling.split.variable} to the key.`);
  if (ruling?.isCut) said.push("The rules of the project cost too much for this event: not all were looked at.");
  return said;
}

// ── The key in a sentence ───────────────────────────────────────────────────────────────────────────────────────────

function keySentence(explanation: GroupingExplanation, event: SentryEvent | null): string {
  const { basis, contributions, ruling } = explanation;
  const rule = ruling?.fingerprint;
  // A split is explained by its own sentence.
  const who =
    rule !== undefined
      ? `the fingerprint that the project's rule ${quote(rule.text)} gives`
      : ruling?.split !== undefined
        ? "the fingerprint"
        : "the fingerprint that the application set";
  const fingerprint = contributions.flatMap((part) => (part.kind === "fingerprint" ? [entryText(part)] : []));
  switch (basis) {
    case "checksum":
      return `grouped by the checksum that the application sent${quotedDetail(contributions, "checksum")}`;
    case "fingerprint":
      if (rule === undefined && event?.fingerprint !== undefined && isFindingEvent(event))
        return `everything that Culprit itself finds out about ${enumerate(event.fingerprint.slice(1).map(quote))} is one issue`;
      return `grouped by ${who}: ${enumerate(fingerprint)}`;
    case "fingerprint-and-default":
      return `grouped by ${who} (${enumerate(fingerprint)}), together with ${defaultKey(explanation, event)}`;
    case "fallback":
      return "the event holds nothing that could tell it from others: all such events are one issue";
    default:
      return `grouped by ${defaultKey(explanation, event)}`;
  }
}

function defaultKey(explanation: GroupingExplanation, event: SentryEvent | null): string {
  const { contributions } = explanation;
  const details = new Map(contributions.flatMap((part) => (part.kind === "detail" ? [[part.name, part.value]] : [])));
  if (contributions.some(({ kind }) => kind === "exception-type" || kind === "exception-value" || kind === "frame")) {
    return exceptionKey(explanation, event);
  }
  const message = contributions.find((part) => part.kind === "message");
  if (message !== undefined) {
    const isParameterized = /<[a-z0-9_]+>/.test(message.value);
    return `the words of the message${isParameterized ? ", with numbers, ids and the like taken out" : ""}: ${quote(message.value)}`;
  }
  if (details.has("directive")) {
    return `the directive ${details.get("directive")} that was violated, and what was blocked: ${details.get("blocked")}`;
  }
  if (details.has("report")) {
    const host = details.get("host");
    return `the kind of report, ${details.get("report")}${host === undefined ? "" : `, and its host ${host}`}`;
  }
  if (details.has("template") || details.has("line")) {
    return enumerate([
      ...(details.has("template") ? [`the template ${details.get("template")}`] : []),
      ...(details.has("line") ? [`its line ${quote(details.get("line") ?? "")}`] : []),
    ]);
  }
  return "what all events without words or frames have in common";
}

function exceptionKey({ basis, variant, contributions }: GroupingExplanation, event: SentryEvent | null): string {
  const said: string[] = [];
  const types = contributions.flatMap((part) => (part.kind === "exception-type" ? [part.value] : []));
  // The exception that was thrown last comes first: people see it first.
  if (types.length > 0) said.push(`the exception type${types.length > 1 ? "s" : ""} ${enumerate(types.reverse())}`);
  for (const part of contributions) if (part.kind === "detail") said.push(`${part.name} ${part.value}`);
  const frames = contributions.flatMap((part) => (part.kind === "frame" ? [frameText(part, event)] : [])).reverse();
  if (frames.length > 0) {
    const of = basis === "threads" ? " of the thread" : "";
    const kind =
      variant === "app"
        ? `${count(frames.length, "in-app frame")}${of}`
        : `${count(frames.length, "frame")}${of}, none of them in the app`;
    said.push(`${kind}: ${enumerate(frames, MAX_FRAMES_SAID)}`);
  }
  const values = contributions
    .flatMap((part) => (part.kind === "exception-value" ? [quote(part.value)] : []))
    .reverse();
  if (values.length > 0) {
    const why = frames.length > 0 ? "" : ", because no frame could count";
    said.push(`${values.length > 1 ? "the values" : "the value"} ${enumerate(values, MAX_FRAMES_SAID)}${why}`);
  }
  return enumerate(said);
}

const MAX_FRAMES_SAID = 3;

// ── Parts ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The row for one contribution. Without the event, a frame whose file is an address is named by its function alone. */
export function explainPart(part: GroupingContribution, event: SentryEvent | null): ExplainedPart {
  switch (part.kind) {
    case "exception-type":
      return { label: "Exception type", text: part.value, place: { exception: part.exception, frame: null } };
    case "exception-value":
      return { label: "Exception value", text: part.value, place: { exception: part.exception, frame: null } };
    case "frame":
      return {
        label: "Frame",
        text: withLine(frameText(part, event), part.contextLine),
        place: { exception: part.exception, frame: part.frame },
      };
    case "message":
      return { label: "Message", text: part.value, place: null };
    case "fingerprint":
      return { label: "Fingerprint", text: entryText(part), place: null };
    case "detail":
      return { label: capitalize(part.name), text: part.value, place: null };
  }
}

type FrameContribution = Extract<GroupingContribution, { kind: "frame" }>;

/** `checkout in cart.js`: the part that counted, with the file beside it, even if the file is an address, which never counts. */
function frameText(part: FrameContribution, event: SentryEvent | null): string {
  const frame = event === null ? undefined : stackOf(event, part.exception)?.frames[part.frame];
  const place = part.module ?? part.filename ?? basename(frame?.filename ?? frame?.abs_path ?? "");
  if (part.address !== undefined) return part.address;
  const name = part.function ?? (part.contextLine === undefined ? "" : quote(part.contextLine));
  if (name === "" || place === "") return name || place;
  return `${name} in ${place}`;
}

function withLine(text: string, contextLine: string | undefined): string {
  return contextLine === undefined || text.includes(contextLine) ? text : `${text}: ${contextLine}`;
}

function entryText({ template, value }: { template: string; value: string }): string {
  return template === value ? quote(value) : `${quote(value)} (${template})`;
}

function quotedDetail(contributions: readonly GroupingContribution[], name: string): string {
  const detail = contributions.find((part) => part.kind === "detail" && part.name === name);
  return detail?.kind === "detail" ? `: ${detail.value}` : "";
}

// ── What did not count ──────────────────────────────────────────────────────────────────────────────────────────────

const OMISSION_SENTENCES = {
  "not-in-app": (n) => `${count(n, "frame")} of libraries did not count`,
  nameless: (n) => `${count(n, "frame")} without a name did not count`,
  recursion: (n) => `${count(n, "repeated call")} of a function did not count`,
  "runtime-helper": (n) => `${count(n, "frame")} of the language's own machinery did not count`,
  "native-code": (n) =>
    `${count(n, "frame")} of the engine's own functions did not count: not every browser lists them`,
  "evaluated-code": (n) => `${count(n, "frame")} of evaluated code did not count`,
  "browser-extension": (n) => `${count(n, "frame")} of browser extensions did not count`,
  "async-caller": (n) =>
    `${count(n, "frame")} that waited for the failing one did not count: not every browser lists them`,
  "error-constructor": (n) =>
    `${count(n, "frame")} of the error's own constructor did not count: not every browser lists them`,
  sdk: (n) => `${count(n, "frame")} of the SDK did not count`,
  "thread-base": (n) => `${count(n, "frame")} in which every thread begins did not count`,
  "run-loop": (n) => `${count(n, "frame")} that only hand work out did not count: run loops and executors`,
  "panic-machinery": (n) => `${count(n, "frame")} of what runs after the failure did not count`,
  "exception-group": (n) =>
    `${count(n, "exception group")} did not count: ${n === 1 ? "it only holds" : "they only hold"} others together`,
  "same-as-another": (n) => `${count(n, "exception")} did not count: the same as another of the group`,
  "other-branch": (n) => `${count(n, "exception")} of the group did not count: not on the way to the error`,
  "component-stack": (n) =>
    `${count(n, "stack")} of components did not count: where it was shown is not what went wrong`,
  "stack-rule": (n) => `${count(n, "frame")} did not count by stack-trace rules of the project`,
} satisfies Record<ExplainedOmission["reason"], (n: number) => string>;

function explainOmissions(explanation: GroupingExplanation, event: SentryEvent | null): ExplainedOmission[] {
  const counts = new Map<ExplainedOmission["reason"], number>();
  const add = (reason: ExplainedOmission["reason"], n: number) => counts.set(reason, (counts.get(reason) ?? 0) + n);
  for (const { frame, to, reason } of explanation.omissions)
    add(reason, frame === null || to === undefined ? 1 : to - frame + 1);
  if (event !== null && explanation.variant !== null) {
    for (const stack of countedStacks(explanation)) {
      const listed = listedFrames(explanation, stack);
      for (const [index, frame] of (stackOf(event, stack)?.frames ?? []).entries()) {
        if (!listed.has(index))
          add(explanation.variant === "app" && frame.in_app !== true ? "not-in-app" : "nameless", 1);
      }
    }
  }
  return [...counts]
    .map(([reason, n]) => ({ reason, count: n, sentence: `${OMISSION_SENTENCES[reason](n)}.` }))
    .sort((a, b) => b.count - a.count);
}

/** Indexes of the exceptions whose stacks were looked at. Null stands for the stack of a thread or of the event. */
function countedStacks({ contributions }: GroupingExplanation): Set<number | null> {
  const stacks = new Set<number | null>();
  for (const part of contributions) {
    if (part.kind === "frame" || part.kind === "exception-type" || part.kind === "exception-value")
      stacks.add(part.exception);
  }
  return stacks;
}

function listedFrames({ contributions, omissions }: GroupingExplanation, stack: number | null): Set<number> {
  const listed = new Set<number>();
  for (const part of contributions) if (part.kind === "frame" && part.exception === stack) listed.add(part.frame);
  for (const { exception, frame, to } of omissions) {
    if (exception !== stack || frame === null) continue;
    for (let index = frame; index <= (to ?? frame); index++) listed.add(index);
  }
  return listed;
}

function stackOf(event: SentryEvent, exception: number | null): Stacktrace | undefined {
  if (exception !== null) return event.exception?.values[exception]?.stacktrace;
  return event.stacktrace ?? threadStackOf(event);
}

/** The stack of the thread that grouping uses: the crashed thread, otherwise the current one, otherwise the only one. */
function threadStackOf(event: SentryEvent): Stacktrace | undefined {
  const threads = event.threads?.values ?? [];
  const crashed = threads.filter((thread) => thread.crashed === true);
  const current = threads.filter((thread) => thread.current === true);
  return [crashed, current, threads].find((some) => some.length === 1)?.[0]?.stacktrace;
}

function basename(path: string): string {
  const bare = path.split(/[?#]/, 1)[0] ?? "";
  return bare.slice(Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("\\")) + 1);
}
