import { SDK_FEATURES, type SdkFeature } from "../domain/sdk-feature.ts";

/** Where bundles are in the URL and in the folder of the built client, followed by the SDK's version. */
export const BUNDLES_PATH = "js-sdk";

/** Like `bundle.tracing.replay.min.js`, as on Sentry's CDN. */
export function bundleName(features: readonly SdkFeature[]): string {
  return ["bundle", ...features, "min", "js"].join(".");
}

/** Each choice of features: none, one, two, all. */
export function everyChoice(): SdkFeature[][] {
  let choices: SdkFeature[][] = [[]];
  for (const feature of SDK_FEATURES) choices = choices.flatMap((choice) => [choice, [...choice, feature]]);
  return choices;
}
