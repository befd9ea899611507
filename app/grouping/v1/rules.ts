import type { Frame, SentryException, Stacktrace } from "../../domain/event.ts";
import type { CountedFrame } from "./counted-frame.ts";
import type { LeftOutReason } from "./left-out-frames.ts";
import type { PlatformFamily } from "./platform-family.ts";

/** Rules that version 2 added have reasons of their own, as those of projects have. */
export type RuleReason = LeftOutReason | "thread-base" | "run-loop" | "stack-rule";

/** What one version of the algorithm decides for itself. All functions are pure and total. */
export interface GroupingRules {
  /** Like `culprit:1`: part of every key, so that the hashes of two versions never meet. */
  version: string;
  parameterizeMessage(message: string): string;
  cleanFunction(raw: string, family: PlatformFamily): string | null;
  /** Null where a module says nothing. */
  cleanModule(raw: string, family: PlatformFamily): string | null;
  /** Why a frame never counts; null: it may. */
  leftOutReason(frame: Frame, family: PlatformFamily, isBrowser: boolean): RuleReason | null;
  /** Index of the first frame of what a program runs through after it has failed; the number of frames where there is none. */
  machineryStart(frames: readonly Frame[], family: PlatformFamily): number;
  /** The frame that names the place of a stack. */
  crashFrameOf(stacktrace: Stacktrace, platform: string): Frame | null;
  /** What stands for machine code without a name: the image, and where in it. Null: nothing does. */
  addressOf(frame: Frame): string | null;
  /**
   * Whether the stack of an exception says nothing of where it was thrown: then its words count, too. `isInApp`: some of the frames that
   * count are of the app.
   */
  hasMadeUpPlace(exception: SentryException, isInApp: boolean, family: PlatformFamily): boolean;
  /** Words that say which error it is although its value or its frames change; null: the value and the frames say it. */
  kindOf(exception: SentryException): ErrorKind | null;
  /**
   * Takes repeated calls out of the frames that count, which are outermost first. Null where there is nothing to take out.
   * `isExhausted`: the error is that the stack was full.
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
  /** The same of those beyond the number that a project counts. */
  cut?: number[];
}
