import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequestListener, type RequestListenerOptions } from "@remix-run/node-fetch-server";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { readClientAddress } from "../domain/client-address.ts";
import type { ProxyIdentity, ProxySignIn } from "../domain/people/proxy-identity.ts";
import type { Log } from "../log.server.ts";
import { hideSecretPaths } from "../sentry/hide-secret-paths.ts";
import { findMonitoring } from "../sentry/monitoring.server.ts";
import { answerExpectedFaults } from "./answer-expected-faults.server.ts";
import type { Metrics } from "./metrics.server.ts";
import { createPageCompression } from "./page-compression.server.ts";
import { createProxyIdentityReader } from "./proxy-identity.server.ts";
import { withReadableForm } from "./readable-form.server.ts";
import { refuseLargeForm } from "./refuse-large-form.server.ts";
import { setSecurityHeaders } from "./security-headers.server.ts";

/** Exports of entry.server.tsx beside those that React Router needs. */
type EntryModule = ServerBuild["entry"]["module"] & typeof import("../entry.server.tsx");

export interface PageBuild extends ServerBuild {
  entry: { module: EntryModule };
}

export interface PageHandler {
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** Cuts off the streams of events that pages listen to; browsers come back by themselves. */
  endStreams(): void;
}

export interface PageHandlerOptions {
  /** The address under which people reach this server. Null: the address of the request. */
  publicUrl: string | null;
  trustProxy: boolean;
  /** The sign-in by a proxy. Null: no proxy tells who somebody is. */
  proxySignIn: (ProxySignIn & { from: readonly string[] }) | null;
  metrics: Pick<Metrics, "pageAnswered" | "refused">;
  log: Log;
}

const NO_URL = "The Host header and the path of this request make no URL.\n";

/** Answers requests for pages and everything else that the routes serve. */
export function createPageHandler(
  build: PageBuild,
  { publicUrl, trustProxy, proxySignIn, metrics, log }: PageHandlerOptions,
): PageHandler {
  const handleRequest = createRequestHandler(answerExpectedFaults(build), "production");
  const { clientAddressContext, formTargetContext, nonceContext, proxyIdentityContext, refuseEarly } =
    build.entry.module;
  const takeProxyIdentity = proxySignIn && createProxyIdentityReader(proxySignIn);
  const signOutOrigin = proxySignIn?.signOutUrl ? new URL(proxySignIn.signOutUrl).origin : null;
  const compress = createPageCompression();

  const listenerOptions: RequestListenerOptions = {
    trustProxy,
    onError(error) {
      // Faults of routes never come here: this is a request that names no URL, or a fault of ours.
      if (isInvalidUrl(error)) {
        metrics.refused("http_malformed", 1);
        return toTextResponse(400, NO_URL);
      }
      log.error({ err: error }, "a page request could not be handled");
      return toTextResponse(500, "This request could not be handled.\n");
    },
  };

  function answer(req: IncomingMessage, res: ServerResponse, identity: ProxyIdentity | null): void {
    const clientAddress = readClientAddress(req, trustProxy);
    const listener = createRequestListener(async (received: Request) => {
      const readable = await withReadableForm(received);
      if (readable === null) return toTextResponse(400, "The body of this request is no form that can be read.\n");
      const { request, form } = readable;
      const refused = form && (await refuseEarly({ request, form, clientAddress }));
      if (refused) return refused;
      const context = new RouterContextProvider();
      context.set(nonceContext, randomBytes(16).toString("base64"));
      context.set(clientAddressContext, clientAddress);
      context.set(proxyIdentityContext, identity);
      context.set(formTargetContext, signOutOrigin);
      return await trace(req, res, async () => compress(received, keepPrivate(await handleRequest(request, context))));
    }, listenerOptions);
    void listener(req, res);
  }

  const inFlight = new Set<ServerResponse>();
  return {
    handle(req, res) {
      const startedAt = performance.now();
      // Must come before anything else reads a header.
      const identity = takeProxyIdentity?.(req) ?? null;
      setSecurityHeaders(req, res, { publicUrl, trustProxy });
      inFlight.add(res);
      res.once("close", () => {
        inFlight.delete(res);
        const ms = performance.now() - startedAt;
        if (!isEventStream(res)) metrics.pageAnswered(ms);
        const url = hideSecretPaths(req.url ?? "");
        log.debug({ method: req.method, url, status: res.statusCode, ms: Math.round(ms) }, "answered");
      });
      if (!namesHost(req, trustProxy)) {
        metrics.refused("http_malformed", 1);
        res.writeHead(400, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(NO_URL);
        return;
      }
      if (refuseLargeForm(req, res)) return;
      // The listener would believe it as well, and proxies that write the other headers pass it on.
      delete req.headers.forwarded;
      // The router breaks at an Origin that is no URL before a route can refuse it. `null` is what such a one means.
      if (req.headers.origin !== undefined && !URL.canParse(req.headers.origin)) req.headers.origin = "null";
      answer(req, res, identity);
    },
    endStreams() {
      for (const res of inFlight) if (isEventStream(res)) res.destroy();
    },
  };
}

/** Makes an answer private unless it says otherwise. A caching proxy would give it to other people. */
function keepPrivate(answer: Response): Response {
  if (!answer.headers.has("cache-control")) answer.headers.set("cache-control", "private, no-cache");
  return answer;
}

/** Runs `work` inside the root span of the request, where Culprit watches itself. */
function trace<Result>(req: IncomingMessage, res: ServerResponse, work: () => Promise<Result>): Promise<Result> {
  const monitoring = findMonitoring();
  if (!monitoring) return work();
  return new Promise((resolve, reject) => {
    const run = () => void work().then(resolve, reject);
    if (isTraced(req)) monitoring.trace(req, res, run);
    else monitoring.untraced(run);
  });
}

function isEventStream(res: ServerResponse): boolean {
  return String(res.getHeader("content-type") ?? "").startsWith("text/event-stream");
}

/** A live stream lasts for hours, and the web API has its own users: neither is a page. */
function isTraced(req: IncomingMessage): boolean {
  return !/^\/(live|api)(\/|\?|$)/.test(req.url ?? "");
}

function toTextResponse(status: number, text: string): Response {
  return new Response(text, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** Whether the hosts of a request do not change the rest of its URL: `a/sign-in?` would give another path, `a@b` another host. */
function namesHost({ headers }: IncomingMessage, trustProxy: boolean): boolean {
  const hosts = [headers.host, trustProxy ? headers["x-forwarded-host"] : undefined];
  return hosts.every((host) => host === undefined || /^[^/?#@\\"]+$/.test(String(host)));
}

/** The error of the listener's own `new URL`, or of the `Request` that it makes, which wraps it. */
function isInvalidUrl(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "ERR_INVALID_URL") || isInvalidUrl(error.cause);
}
