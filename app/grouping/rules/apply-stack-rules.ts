import type { Frame, SentryEvent, SentryException, Stacktrace } from "../../domain/event.ts";
import type { Matcher } from "../../domain/grouping-rules/matchers.ts";
import type { StackAction, StackRule } from "../../domain/grouping-rules/stack-rules.ts";
import type { EventMatch } from "./match-event.ts";

/** The decisions of stack-trace rules about an event. */
export interface StackRuling {
  /** The event with other `in_app`; the one given, when nothing changed. */
  event: SentryEvent;
  /** Frames of `event` that a rule puts in or leaves out. */
  groups: ReadonlyMap<Frame, boolean>;
  /** The number of frames that count, by the frames of a stack. */
  counts: ReadonlyMap<readonly Frame[], { max: number | null; min: number | null }>;
  /** The rules that changed something, as they were written, without repeats. */
  used: string[];
}

/** Looks at every stack that grouping may look at. */
export function applyStackRules(event: SentryEvent, rules: readonly StackRule[], match: EventMatch): StackRuling {
  const ruling = new Ruling(rules, match);
  const changed: SentryEvent = { ...event };
  if (event.exception)
    changed.exception = { values: event.exception.values.map((exception) => ruling.rule(exception, exception, event)) };
  if (event.threads)
    changed.threads = { values: event.threads.values.map((thread) => ruling.rule(thread, null, event)) };
  if (event.stacktrace) changed.stacktrace = ruling.rule({ stacktrace: event.stacktrace }, null, event).stacktrace;
  return {
    event: ruling.hasChangedFrames ? changed : event,
    groups: ruling.groups,
    counts: ruling.counts,
    used: [...ruling.used],
  };
}

/** The event without the decisions of earlier rules about its frames, so that only the present rules decide. */
export function withoutStackRules(event: SentryEvent): SentryEvent {
  const isRuled = (stack: Stacktrace | undefined) =>
    stack?.frames.some(({ data }) => data?.[RULED] !== undefined) ?? false;
  const restore = <Owner extends { stacktrace?: Stacktrace }>(owner: Owner): Owner =>
    owner.stacktrace === undefined || !isRuled(owner.stacktrace)
      ? owner
      : { ...owner, stacktrace: { ...owner.stacktrace, frames: owner.stacktrace.frames.map(restoreFrame) } };
  const changed: SentryEvent = { ...event };
  let hasChanged = false;
  if (event.exception?.values.some(({ stacktrace }) => isRuled(stacktrace))) {
    changed.exception = { values: event.exception.values.map(restore) };
    hasChanged = true;
  }
  if (event.threads?.values.some(({ stacktrace }) => isRuled(stacktrace))) {
    changed.threads = { values: event.threads.values.map(restore) };
    hasChanged = true;
  }
  if (isRuled(event.stacktrace)) {
    changed.stacktrace = restore({ stacktrace: event.stacktrace }).stacktrace;
    hasChanged = true;
  }
  return hasChanged ? changed : event;
}

/** The key in the data of a frame for its `in_app` before rules changed it. */
const RULED = "in_app_before_rules";

function restoreFrame(frame: Frame): Frame {
  const before = frame.data?.[RULED];
  if (before === undefined) return frame;
  const { [RULED]: _, ...data } = frame.data ?? {};
  const { data: __, ...rest } = frame;
  return { ...rest, in_app: before === true, ...(Object.keys(data).length > 0 ? { data } : {}) };
}

class Ruling {
  readonly groups = new Map<Frame, boolean>();
  readonly counts = new Map<readonly Frame[], { max: number | null; min: number | null }>();
  readonly used = new Set<string>();
  hasChangedFrames = false;
  readonly #rules: readonly StackRule[];
  readonly #match: EventMatch;

  constructor(rules: readonly StackRule[], match: EventMatch) {
    this.#rules = rules;
    this.#match = match;
  }

  rule<Owner extends { stacktrace?: Stacktrace }>(
    owner: Owner,
    exception: SentryException | null,
    event: SentryEvent,
  ): Owner {
    const { stacktrace } = owner;
    if (stacktrace === undefined) return owner;
    const before = stacktrace.frames;
    const frames = [...before];
    const groups: Array<boolean | undefined> = [];
    const categories: string[] = [];
    const count = { max: null as number | null, min: null as number | null };
    for (const rule of this.#rules) {
      const { ofException, ofFamily, ofFrame } = partsOf(rule);
      if (!ofException.every((matcher) => this.#match.holdsForException(matcher, exception))) continue;
      for (let at = 0; at < frames.length; at++) {
        const frame = frames[at] as Frame;
        if (!ofFamily.every((matcher) => this.#match.holdsForFamily(matcher, frame.platform ?? event.platform)))
          continue;
        if (!ofFrame.every((matcher) => this.#holds(matcher, frame, categories[at]))) continue;
        if (!this.#holdsBeside(rule.caller, frames[at - 1], categories[at - 1])) continue;
        if (!this.#holdsBeside(rule.called, frames[at + 1], categories[at + 1])) continue;
        for (const action of rule.actions) {
          if (act(action, at, { frames, groups, categories, count })) this.used.add(rule.text);
        }
      }
    }
    for (const [at, group] of groups.entries()) if (group !== undefined) this.groups.set(frames[at] as Frame, group);
    const isChanged = frames.some((frame, at) => frame !== before[at]);
    const shown = isChanged ? frames : before;
    if (count.max !== null || count.min !== null) this.counts.set(shown, count);
    if (!isChanged) return owner;
    this.hasChangedFrames = true;
    return { ...owner, stacktrace: { ...stacktrace, frames } };
  }

  #holds(matcher: Matcher, frame: Frame, category = ""): boolean {
    return this.#match.holdsForFrame(matcher, frame, category);
  }

  /** The outermost frame has no caller, and the innermost calls nothing. */
  #holdsBeside(matcher: Matcher | null, frame: Frame | undefined, category: string | undefined): boolean {
    if (matcher === null) return true;
    return frame === undefined ? matcher.isNegated : this.#holds(matcher, frame, category);
  }
}

interface StackState {
  frames: Frame[];
  groups: Array<boolean | undefined>;
  categories: string[];
  count: { max: number | null; min: number | null };
}

/** Returns whether the action changed anything. */
function act(action: StackAction, at: number, { frames, groups, categories, count }: StackState): boolean {
  switch (action.kind) {
    case "category":
      categories[at] = action.value;
      return false;
    case "max-frames":
    case "min-frames": {
      const field = action.kind === "max-frames" ? "max" : "min";
      const isNew = count[field] !== action.count;
      count[field] = action.count;
      return isNew;
    }
    default: {
      const from = action.range === "callers" ? 0 : action.range === "called" ? at + 1 : at;
      const to = action.range === "callers" ? at : action.range === "called" ? frames.length : at + 1;
      let hasChanged = false;
      for (let index = from; index < to; index++) {
        if (action.kind === "group") {
          hasChanged ||= groups[index] !== action.isOn;
          groups[index] = action.isOn;
        } else hasChanged = setInApp(frames, index, action.isOn) || hasChanged;
      }
      return hasChanged;
    }
  }
}

/** Sets `in_app`, and stores the earlier value in the frame. */
function setInApp(frames: Frame[], index: number, isInApp: boolean): boolean {
  const frame = frames[index] as Frame;
  if ((frame.in_app === true) === isInApp) return false;
  const before = frame.data?.[RULED] ?? frame.in_app === true;
  frames[index] =
    before === isInApp
      ? { ...restoreFrame(frame), in_app: isInApp }
      : { ...frame, in_app: isInApp, data: { ...frame.data, [RULED]: before } };
  return true;
}

interface RuleParts {
  ofException: Matcher[];
  ofFamily: Matcher[];
  ofFrame: Matcher[];
}

const EXCEPTION = new Set(["type", "value", "mechanism"]);
const knownParts = new WeakMap<StackRule, RuleParts>();

function partsOf(rule: StackRule): RuleParts {
  let parts = knownParts.get(rule);
  if (parts === undefined) {
    parts = {
      ofException: rule.matchers.filter(({ field }) => EXCEPTION.has(field)),
      ofFamily: rule.matchers.filter(({ field }) => field === "family"),
      ofFrame: rule.matchers.filter(({ field }) => !EXCEPTION.has(field) && field !== "family"),
    };
    knownParts.set(rule, parts);
  }
  return parts;
}
