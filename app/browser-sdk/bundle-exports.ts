import { SDK_FEATURES, type SdkFeature } from "../domain/sdk-feature.ts";

/** What every bundle has of `@sentry/browser`: what a script on a page calls. Wrappers for AI clients and flag services are not. */
const ALWAYS = `
  BrowserClient SDK_VERSION Scope WINDOW addBreadcrumb addEventProcessor addIntegration breadcrumbsIntegration
  browserApiErrorsIntegration browserSessionIntegration captureConsoleIntegration captureEvent captureException
  captureFeedback captureMessage captureSession close consoleLoggingIntegration contextLinesIntegration continueTrace
  createTransport dedupeIntegration defaultStackParser endSession eventFiltersIntegration extraErrorDataIntegration
  featureFlagsIntegration flush forceLoad functionToStringIntegration getActiveSpan getClient getCurrentScope
  getDefaultIntegrations getGlobalScope getIsolationScope getRootSpan getTraceData globalHandlersIntegration
  graphqlClientIntegration httpClientIntegration httpContextIntegration inboundFiltersIntegration init isEnabled
  isInitialized lastEventId linkedErrorsIntegration logger makeFetchTransport metrics moduleMetadataIntegration onLoad
  parameterize reportingObserverIntegration rewriteFramesIntegration setContext setExtra setExtras setTag setTags setUser
  showReportDialog spanToJSON startInactiveSpan startNewTrace startSession startSpan startSpanManual suppressTracing
  thirdPartyErrorFilterIntegration withActiveSpan withIsolationScope withScope`;

const OF_FEATURE: Record<SdkFeature, string> = {
  tracing: `browserTracingIntegration instrumentOutgoingRequests reportPageLoaded setActiveSpanInBrowser setHttpStatus
    setMeasurement startBrowserTracingNavigationSpan startBrowserTracingPageLoadSpan updateSpanName`,
  replay: "getReplay replayIntegration",
  feedback: "feedbackIntegration getFeedback sendFeedback",
};

/**
 * The module that a bundle is made from. A function of a feature that is left out says in the console how to get it: a page
 * that calls it goes on.
 */
export function bundleEntry(features: readonly SdkFeature[]): string {
  const has = (feature: SdkFeature) => features.includes(feature);
  const names = [ALWAYS, ...features.map((feature) => OF_FEATURE[feature])].flatMap(toNames);
  const missing = SDK_FEATURES.filter((feature) => !has(feature)).flatMap((feature) =>
    toNames(OF_FEATURE[feature]).map(
      (name) => `export const ${name} = missing(${JSON.stringify(name)}, ${JSON.stringify(feature)});`,
    ),
  );
  return `export { ${names.join(", ")} } from "@sentry/browser";
function missing(name, feature) {
  return () => {
    console.warn("Sentry." + name + " is not in this bundle: turn on “" + feature + "” for the DSN key's loader script");
    if (name.endsWith("Integration")) return { name };
  };
}
${missing.join("\n")}`;
}

function toNames(text: string): string[] {
  return text.trim().split(/\s+/);
}
