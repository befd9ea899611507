import { type Browser, chromium, type Page, type Request } from "@playwright/test";
import { CHROMIUM_LAUNCH } from "../support/chromium-launch.ts";

/** As people's: without it Chromium says that it is headless, and SDKs and servers take it for a robot. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

export interface OpenBrowser extends AsyncDisposable {
  /** A page in a profile of its own, and what it asked of the server at `serverUrl`. */
  openPage(serverUrl: string): Promise<WatchedPage>;
}

export interface WatchedPage {
  page: Page;
  /** Envelopes that were posted, oldest first; the status is null when no answer could be read. */
  sent: Array<{ status: number | null; method: string; body: string }>;
}

/** A real Chromium: that of this machine, or the one that Playwright has installed. */
export async function openBrowser(): Promise<OpenBrowser> {
  const browser: Browser = await chromium.launch(CHROMIUM_LAUNCH);
  return {
    async openPage(serverUrl) {
      const context = await browser.newContext({ userAgent: USER_AGENT });
      const page = await context.newPage();
      const sent: WatchedPage["sent"] = [];
      const note = (request: Request, status: number | null) => {
        if (!request.url().startsWith(`${serverUrl}/api/`)) return;
        sent.push({ status, method: request.method(), body: request.postData() ?? "" });
      };
      const answered = new WeakSet<Request>();
      // Not `requestfinished`: its answer must be asked for, and the browser may be closed by then.
      context.on("response", (response) => {
        answered.add(response.request());
        note(response.request(), response.status());
      });
      context.on("requestfailed", (request) => {
        if (!answered.has(request)) note(request, null);
      });
      return { page, sent };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
