import type { SdkFeature } from "../domain/sdk-feature.ts";

export interface LoaderConfig {
  publicKey: string;
  projectId: number;
  features: readonly SdkFeature[];
  /** Below the server's base, like `/js-sdk/10.75.2/bundle.min.js`. */
  bundle: string;
  /** `sha384-…` of the bundle. */
  integrity: string;
  /** Takes the envelopes. Below the server's base, like `/t/`. */
  tunnel: string;
  /** The server's base, for a page that loads the script in a way that hides its address. Without a last slash. */
  base: string;
}

// biome-ignore-start lint/suspicious/noExplicitAny: `window.Sentry` is ours before the bundle is there, and the SDK's after.
/**
 * Runs on pages of others: it is sent as its own source text, so it may use nothing from outside, and everything that it says
 * on top stands here.
 *
 * It keeps errors and calls until the SDK is there, and loads the SDK's bundle: at once, or with the first error when the key
 * brings errors alone and the script's tag does not say `data-lazy="no"`. A page may set `window.sentryOnLoad` before, or call
 * `Sentry.onLoad`, to call `Sentry.init` with options of its own; otherwise it is called without.
 *
 * Bundle, tunnel and DSN are below the address that the script itself came from, so a proxy on the page's own domain
 * needs no setting here.
 */
export function loader(config: LoaderConfig): void {
  const page = window as any;
  if (page.Sentry) return;
  const tag = document.currentScript as HTMLScriptElement | null;
  const cut = tag ? tag.src.indexOf("/js-sdk-loader/") : -1;
  const base = tag && cut > 0 ? tag.src.slice(0, cut) : config.base;
  const has = (feature: SdkFeature) => config.features.includes(feature);
  const maxKept = 50;
  const kept: Array<() => void> = [];
  const callbacks: Array<() => void> = [];
  let isLoading = false;

  const keep = (replay: () => void) => {
    if (kept.length < maxKept) kept.push(replay);
  };
  const mechanism = (type: string) => ({ type: `auto.browser.global_handlers.${type}`, handled: false });
  const onError = (event: ErrorEvent) => {
    const { error, message, filename, lineno, colno } = event;
    const hint = { mechanism: mechanism("onerror") };
    const frame = { filename, lineno, colno, function: "?", in_app: true };
    const value = { type: "Error", value: message, stacktrace: { frames: [frame] }, ...hint };
    keep(() => {
      if (error) page.Sentry.captureException(error, hint);
      else page.Sentry.captureEvent({ level: "error", exception: { values: [value] } });
    });
    load();
  };
  const onRejection = (event: PromiseRejectionEvent) => {
    const { reason } = event;
    keep(() => page.Sentry.captureException(reason, { mechanism: mechanism("onunhandledrejection") }));
    load();
  };
  const stub = (name: string, isReport: boolean) => {
    page.Sentry[name] = (...args: unknown[]) => {
      keep(() => page.Sentry[name](...args));
      if (isReport) load();
    };
  };

  page.Sentry = {
    onLoad(callback: () => void) {
      callbacks.push(callback);
    },
    forceLoad: load,
  };
  for (const name of ["captureException", "captureMessage", "captureEvent", "showReportDialog"]) stub(name, true);
  for (const name of [
    "addBreadcrumb",
    "setContext",
    "setExtra",
    "setExtras",
    "setTag",
    "setTags",
    "setUser",
    "withScope",
  ])
    stub(name, false);
  addEventListener("error", onError);
  addEventListener("unhandledrejection", onRejection);
  const mayWait = config.features.length === 0 && tag?.getAttribute("data-lazy") !== "no";
  if (!mayWait) load();

  function load() {
    if (isLoading) return;
    isLoading = true;
    const script = document.createElement("script");
    script.src = base + config.bundle;
    script.crossOrigin = "anonymous";
    script.integrity = config.integrity;
    script.onload = start;
    script.onerror = () => console.warn(`${script.src} could not be loaded: this page reports no errors`);
    (document.head || document.documentElement).append(script);
  }

  function start() {
    const sentry = page.Sentry;
    const init = sentry.init;
    let isDone = false;
    sentry.init = (options: any) => {
      isDone = true;
      removeEventListener("error", onError);
      removeEventListener("unhandledrejection", onRejection);
      return init(complete(options || {}));
    };
    const waiting = page.sentryOnLoad ? [page.sentryOnLoad, ...callbacks] : callbacks;
    for (const callback of waiting) {
      try {
        callback();
      } catch (error) {
        console.error(error);
      }
    }
    if (!isDone) sentry.init();
    for (const replay of kept) replay();
  }

  function complete(options: any) {
    const [scheme, rest] = base.split("://") as [string, string];
    const given = options.integrations;
    return {
      dsn: `${scheme}://${config.publicKey}@${rest}/${config.projectId}`,
      tunnel: base + config.tunnel,
      ...(has("tracing") && { tracesSampleRate: 0.2 }),
      ...(has("replay") && { replaysSessionSampleRate: 0.1, replaysOnErrorSampleRate: 1 }),
      ...options,
      integrations:
        typeof given === "function" ? (defaults: any[]) => withOurs(given(defaults)) : withOurs(given || []),
    };
  }

  function withOurs(given: any[]) {
    const sentry = page.Sentry;
    const makers: Array<[SdkFeature, string, () => unknown]> = [
      ["tracing", "BrowserTracing", () => sentry.browserTracingIntegration()],
      ["replay", "Replay", () => sentry.replayIntegration()],
      ["feedback", "Feedback", () => sentry.feedbackIntegration()],
    ];
    const missing = makers.filter(([feature, name]) => has(feature) && !given.some((one) => one.name === name));
    return [...given, ...missing.map(([, , make]) => make())];
  }
}
// biome-ignore-end lint/suspicious/noExplicitAny: `window.Sentry` is ours before the bundle is there, and the SDK's after.

/** The script for one key. */
export function loaderScript(config: LoaderConfig): string {
  // What takes the types away leaves blanks in their place.
  const source = loader.toString().replace(/[ \t]{2,}/g, " ");
  return `(${source})(${JSON.stringify(config)});\n`;
}
