/** Values that are kept of a key, of each piece that is summed: the most frequent. With fewer values, a key and its values are counted whole. */
export const MAX_SUMMED_VALUES = 50;
