export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
/** As pages write bytes: by thousands. */
export const MB = 1_000_000;
