/** SDK features of the stock loader beside errors, which it always has. The order is that in the names of bundles. */
export const SDK_FEATURES = ["tracing", "replay", "feedback"] as const;

export type SdkFeature = (typeof SDK_FEATURES)[number];

/** The features among the words, each once, in the order of `SDK_FEATURES`. */
export function toSdkFeatures(words: Iterable<string>): SdkFeature[] {
  const wanted = new Set(words);
  return SDK_FEATURES.filter((feature) => wanted.has(feature));
}
