/** Which errors of a project are counted but not stored when very many come. By default all are stored. */
export interface VolumeSettings {
  /** Keeps a flood out, except for the first events of each new issue. */
  isSpikeProtected: boolean;
  /** If an issue has more stored events than this in an hour, only one in `keepOneIn` is stored. Null: all are stored. */
  sampleAbove: number | null;
  keepOneIn: number;
}

export const EVERYTHING_STORED: VolumeSettings = { isSpikeProtected: false, sampleAbove: null, keepOneIn: 10 };

export const SAMPLE_LIMITS = { above: 1_000_000, keepOneIn: 1_000 } as const;

/** True when no event needs to be looked at. */
export function storesEverything({ isSpikeProtected, sampleAbove }: VolumeSettings): boolean {
  return !isSpikeProtected && sampleAbove === null;
}
