export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
/** A megabyte as pages count it: a million bytes. */
export const MB = 1_000_000;
