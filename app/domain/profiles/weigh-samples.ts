import type { Profile } from "./profile.ts";

/** A part of a profiler's time, in microseconds since 1970. */
export interface ProfileWindow {
  fromUs: number;
  toUs: number;
}

export interface ProfiledThread {
  id: string;
  name: string | null;
  samples: number;
}

/** The time that a thread spent in one stack, by its samples. */
export interface WeighedStack {
  profile: Profile;
  /** Index of the stack. */
  stack: number;
  us: number;
  samples: number;
}

export interface WeighedThread {
  stacks: WeighedStack[];
  samples: number;
  /** The time of the first sample. Null: there is none. */
  startedUs: number | null;
  /** Microseconds from the first sample to the last. */
  durationUs: number;
  /** The part of `durationUs` in which the profiler did not run. */
  pausedUs: number;
}

/** The time of a sample if no other sample says it: there are usually a hundred a second. */
const USUAL_GAP_US = 10_000;
/** A profiler of chunks that is silent for so long was stopped. */
const PAUSE_US = 1_000_000;

/** Threads that have samples. The transaction's thread comes first, then the threads that ran most code of the project. */
export function listThreads(profiles: readonly Profile[], window: ProfileWindow | null): ProfiledThread[] {
  const threads = new Map<string, ProfiledThread & { ownSamples: number }>();
  for (const { samples, stacks, frames, threadNames } of profiles) {
    const areOwn = stacks.map((stack) => stack.some((frame) => frames[frame]?.isInApp));
    for (const { thread: id, atUs, stack } of samples) {
      if (!isWithin(atUs, window)) continue;
      const thread = threads.get(id) ?? { id, name: null, samples: 0, ownSamples: 0 };
      threads.set(id, thread);
      thread.name ??= threadNames.get(id) ?? null;
      thread.samples++;
      if (areOwn[stack]) thread.ownSamples++;
    }
  }
  const active = profiles.find(({ activeThread }) => activeThread !== null)?.activeThread;
  return [...threads.values()]
    .sort(
      (a, b) =>
        Number(b.id === active) - Number(a.id === active) || b.ownSamples - a.ownSamples || b.samples - a.samples,
    )
    .map(({ id, name, samples }) => ({ id, name, samples }));
}

/** The time that a thread spent in each stack. A sample counts until the next sample. */
export function weighSamples(
  profiles: readonly Profile[],
  { thread, window }: { thread: string; window: ProfileWindow | null },
): WeighedThread {
  const samples = profiles
    .flatMap((profile) =>
      profile.samples
        .filter((sample) => sample.thread === thread && isWithin(sample.atUs, window))
        .map(({ atUs, stack }) => ({ profile, atUs, stack })),
    )
    .sort((a, b) => a.atUs - b.atUs);
  const gaps = samples.slice(1).map(({ atUs }, index) => atUs - (samples[index]?.atUs ?? atUs));
  const usualUs = median(gaps.filter((gap) => gap > 0)) ?? USUAL_GAP_US;
  const weighed = new Map<Profile, Map<number, WeighedStack>>();
  let pausedUs = 0;
  samples.forEach(({ profile, stack }, index) => {
    const gap = gaps[index] ?? usualUs;
    const isPause = profile.form === "chunk" && gap > Math.max(PAUSE_US, 10 * usualUs);
    if (isPause) pausedUs += gap - usualUs;
    const ofProfile = weighed.get(profile) ?? new Map<number, WeighedStack>();
    weighed.set(profile, ofProfile);
    const known = ofProfile.get(stack) ?? { profile, stack, us: 0, samples: 0 };
    ofProfile.set(stack, known);
    known.us += isPause ? usualUs : gap;
    known.samples++;
  });
  const [first, last] = [samples[0], samples.at(-1)];
  return {
    stacks: [...weighed.values()].flatMap((ofProfile) => [...ofProfile.values()]),
    samples: samples.length,
    startedUs: first?.atUs ?? null,
    durationUs: first && last ? last.atUs - first.atUs + usualUs : 0,
    pausedUs,
  };
}

function isWithin(atUs: number, window: ProfileWindow | null): boolean {
  return window === null || (atUs >= window.fromUs && atUs <= window.toUs);
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1] ?? null;
}
