import type { Frame, SentryException, Stacktrace } from "../../domain/event.ts";
import type { CountedFrame } from "./counted-frame.ts";
import type { LeftOutReason } from "./left-out-frames.ts";
import type { PlatformFamily } from "./platform-family.ts";

/** Rules that version 2 added have reasons of their own, as those of projects have. */
export type RuleReason = LeftOutReason | "thread-base" | "run-loop" | "stack-rule";

/** The parts in which versions of the algorithm differ. All functions are pure and total. */
export interface GroupingRules {
  /** Like `culprit:1`: part of every key, so that the hashes of two versions never meet. */
  version: string;
  parameterizeMessage(message: string): string;
  cleanFunction(raw: string, family: PlatformFamily): string | null;
  /** Null if the module does not help. */
  cleanModule(raw: string, family: PlatformFamily): string | null;
  /** Why a frame never counts; null: it may. */
  leftOutReason(frame: Frame, family: PlatformFamily, isBrowser: boolean): RuleReason | null;
  /** Index of the first frame that a program runs after it has failed. The number of frames if there is none. */
  machineryStart(frames: readonly Frame[], family: PlatformFamily): number;
  /** The frame that names the place of a stack. */
  crashFrameOf(stacktrace: Stacktrace, platform: string): Frame | null;
  /** The text for machine code without a name: the image, and the place in it. Null: unknown. */
  addressOf(frame: Frame): string | null;
  /**
   * Whether the stack of an exception does not show where it was thrown, so that its words count, too. `isInApp`: some of the frames that
   * count are in the app.
   */
  hasMadeUpPlace(exception: SentryException, isInApp: boolean, family: PlatformFamily): boolean;
  /** Words that say which error it is although its value or its frames change; null: the value and the frames say it. */
  kindOf(exception: SentryException): ErrorKind | null;
  /**
   * Removes repeated calls from the frames that count, which are outermost first. Null if there is nothing to remove. `isExhausted`: the
   * error is a stack overflow.
   */
  collapse(counted: readonly CountedFrame[], frames: readonly Frame[], isExhausted: boolean): CollapsedFrames | null;
}

export interface ErrorKind {
  words: string;
  /** True when no frame counts beside the words: which frames there are changes with each build. */
  isAlone: boolean;
}

export interface CollapsedFrames {
  kept: CountedFrame[];
  /** Indexes in the frames of the event. */
  leftOut: number[];
  /** Indexes of frames beyond the number that the project's rules count. */
  cut?: number[];
}
