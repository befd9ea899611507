import type { Frame, SentryEvent, SentryException, Thread } from "../../domain/event.ts";
import { type MatchBudget, matchesGlob } from "../../domain/grouping-rules/glob.ts";
import { EXCEPTION_FIELDS, FRAME_FIELDS, type Matcher } from "../../domain/grouping-rules/matchers.ts";
import { mainThreadOf } from "../v1/crash-frame.ts";
import { platformFamily } from "../v1/platform-family.ts";

/**
 * The most steps of matching for one event, some ten milliseconds. Steps are counted and not timed, so that a second reading of an event
 * gives the same. Two hundred rules over a hundred frames take a tenth of it if their patterns begin with a word.
 */
const MAX_STEPS = 500_000;

/** Answers matchers of one event. The same pattern and text are compared once. */
export class EventMatch {
  readonly event: SentryEvent;
  readonly #budget: MatchBudget = { steps: MAX_STEPS };
  readonly #known = new Map<Matcher, Map<string, boolean>>();
  #frames: Array<{ frame: Frame; exception: SentryException | null }> | null = null;

  constructor(event: SentryEvent) {
    this.event = event;
  }

  /** True when the rules were too expensive for this event. The remaining rules do not match. */
  get isCut(): boolean {
    return this.#budget.steps < 0;
  }

  /** Whether all hold: those of frames for one frame, those of exceptions for one exception. */
  holdsAll(matchers: readonly Matcher[]): boolean {
    const ofFrame = matchers.filter(({ field }) => FRAME_FIELDS.has(field));
    const ofException = matchers.filter(({ field }) => EXCEPTION_FIELDS.has(field));
    const ofEvent = matchers.filter(({ field }) => !FRAME_FIELDS.has(field) && !EXCEPTION_FIELDS.has(field));
    if (!ofEvent.every((matcher) => this.#holdsForEvent(matcher))) return false;
    if (
      !holdsForOne(ofException, this.event.exception?.values ?? [], (each, matcher) =>
        this.holdsForException(matcher, each),
      )
    )
      return false;
    return holdsForOne(ofFrame, this.#listFrames(), (each, matcher) => this.holdsForFrame(matcher, each.frame, ""));
  }

  holdsForException(matcher: Matcher, exception: SentryException | null): boolean {
    const { type = "", value = "", mechanism } = exception ?? {};
    const text = matcher.field === "type" ? type : matcher.field === "value" ? value : (mechanism?.type ?? "");
    return this.#matches(matcher, text) !== matcher.isNegated;
  }

  holdsForFrame(matcher: Matcher, frame: Frame, category: string): boolean {
    return this.#matches(matcher, this.#textOfFrame(matcher, frame, category)) !== matcher.isNegated;
  }

  /** The matcher holds for the platform of the frame, or else of the event. */
  holdsForFamily(matcher: Matcher, platform: string): boolean {
    return isOfFamily(matcher.pattern, platform) !== matcher.isNegated;
  }

  #textOfFrame({ field }: Matcher, frame: Frame, category: string): string {
    switch (field) {
      case "module":
        return frame.module ?? "";
      case "package":
        return frame.package ?? "";
      case "function":
        return frame.function ?? "";
      case "category":
        return category;
      case "app":
        return frame.in_app === true ? "yes" : "no";
      default:
        return frame.abs_path ?? frame.filename ?? "";
    }
  }

  #holdsForEvent(matcher: Matcher): boolean {
    if (matcher.field === "family") return this.holdsForFamily(matcher, this.event.platform);
    return this.#textsOf(matcher).some((text) => this.#matches(matcher, text)) !== matcher.isNegated;
  }

  #textsOf({ field, name }: Matcher): string[] {
    const { event } = this;
    switch (field) {
      case "message":
        return [
          event.logentry?.formatted,
          event.logentry?.message,
          ...(event.exception?.values ?? []).map(({ value }) => value),
        ].filter((text) => text !== undefined);
      case "logger":
        return [event.logger ?? ""];
      case "level":
        return [event.level];
      case "release":
        return [event.release ?? ""];
      case "sdk":
        return [event.sdk?.name ?? ""];
      case "tag":
        return (event.tags ?? []).flatMap(([key, value]) => (key === name ? [value] : []));
      case "thread": {
        const thread = mainThreadOf(event);
        return thread === null ? [] : [textOfThread(thread, name)];
      }
      default:
        return [];
    }
  }

  #listFrames(): Array<{ frame: Frame; exception: SentryException | null }> {
    if (this.#frames !== null) return this.#frames;
    const frames = (this.event.exception?.values ?? []).flatMap((exception) =>
      (exception.stacktrace?.frames ?? []).map((frame) => ({ frame, exception })),
    );
    const others = [this.event.stacktrace, mainThreadOf(this.event)?.stacktrace];
    for (const stack of others)
      for (const frame of stack?.frames ?? []) frames.push({ frame, exception: null as never });
    this.#frames = frames;
    return frames;
  }

  #matches(matcher: Matcher, text: string): boolean {
    let known = this.#known.get(matcher);
    if (known === undefined) {
      known = new Map();
      this.#known.set(matcher, known);
    }
    let holds = known.get(text);
    if (holds === undefined) {
      holds = matchesGlob(matcher.glob, text, this.#budget);
      known.set(text, holds);
    }
    return holds;
  }
}

/** If there is no value to match, only negated matchers hold. */
function holdsForOne<Each>(
  matchers: readonly Matcher[],
  values: readonly Each[],
  holds: (value: Each, matcher: Matcher) => boolean,
): boolean {
  if (matchers.length === 0) return true;
  if (values.length === 0) return matchers.every(({ isNegated }) => isNegated);
  return values.some((value) => matchers.every((matcher) => holds(value, matcher)));
}

function isOfFamily(pattern: string, platform: string): boolean {
  const own = platformFamily(platform);
  const family = own === "native" || own === "javascript" ? own : "other";
  return pattern.split(",").some((each) => each.trim() === "all" || each.trim() === family);
}

function textOfThread(thread: Thread, name: string): string {
  if (name === "crashed" || name === "current") return thread[name] === true ? "yes" : "no";
  const value = name === "id" ? thread.id : name === "name" ? thread.name : thread.state;
  return value === undefined ? "" : String(value);
}
