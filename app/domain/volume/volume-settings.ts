/** What of a project's errors is counted and not stored when they come in great numbers. Nothing, unless somebody asks for it. */
export interface VolumeSettings {
  /** Keeps a flood out, except for the first events of each new issue. */
  isSpikeProtected: boolean;
  /** Above so many stored events of one issue in an hour, one in `keepOneIn` is stored. Null: all are. */
  sampleAbove: number | null;
  keepOneIn: number;
}

export const EVERYTHING_STORED: VolumeSettings = { isSpikeProtected: false, sampleAbove: null, keepOneIn: 10 };

export const SAMPLE_LIMITS = { above: 1_000_000, keepOneIn: 1_000 } as const;

/** True when no event needs to be looked at. */
export function storesEverything({ isSpikeProtected, sampleAbove }: VolumeSettings): boolean {
  return !isSpikeProtected && sampleAbove === null;
}
