import { findChromium } from "../../scripts/find-chromium.mjs";

const DISABLED_FEATURES = [
  // Each window of a whole Chromium loads two pages for the suggestions below its address bar, which no test sees. They cost
  // more than the page that a test opens.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // A process that is started ahead for the next site, and again for each context: most of them end unused.
  "SpareRendererForSitePerProcess",
  // Playwright's own list (chromiumSwitches.ts of 1.65), as far as it concerns Chromium on this kind of machine: Chromium reads
  // only the last `--disable-features`, which is this one.
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

const executablePath = findChromium();

/** For Playwright's `launch`: the Chromium of this machine, or the one that Playwright has installed. */
export const CHROMIUM_LAUNCH = {
  ...(executablePath && { executablePath }),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    `--disable-features=${DISABLED_FEATURES.join(",")}`,
  ],
};
