import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProjectKey } from "../domain/project.ts";
import type { BundleManifest } from "./bundle-manifest.ts";
import { bundleName } from "./bundle-name.ts";
import { loaderScript } from "./loader.ts";

const PATH = /^\/js-sdk-loader\/([^/]*)$/;
const FILE = /^([0-9a-f]{32})(\.min)?\.js$/;
/** How soon pages see a change of the key's settings. */
const MAX_AGE_SECONDS = 300;

export interface LoaderOptions {
  findKey: (publicKey: string) => ProjectKey | undefined;
  /** False until the keys are known. */
  isLoaded: () => boolean;
  /** Null in development: the build makes the bundles. */
  manifest: BundleManifest | null;
  /** Below the server's base, like `/t/`. */
  tunnel: string;
  baseUrl: () => string;
}

/**
 * Answers `/js-sdk-loader/<public key>.min.js`, the one script that a page needs. Any page may load it.
 *
 * @returns false when the request is for something else.
 */
export function createLoaderEndpoint(options: LoaderOptions): (req: IncomingMessage, res: ServerResponse) => boolean {
  return (req, res) => {
    const file = PATH.exec(req.url?.split("?", 1)[0] ?? "")?.[1];
    if (file === undefined) return false;
    if (req.method !== "GET" && req.method !== "HEAD") {
      refuse(res, { status: 405, sentence: "Use GET or HEAD.", headers: { allow: "GET, HEAD" } });
      return true;
    }
    const found = findScript(file, options);
    if ("status" in found) refuse(res, found);
    else send(req, res, found.script);
    return true;
  };
}

interface Refused {
  status: number;
  sentence: string;
  headers?: Record<string, string>;
}

function findScript(file: string, options: LoaderOptions): { script: string } | Refused {
  const { findKey, isLoaded, manifest, tunnel, baseUrl } = options;
  const publicKey = FILE.exec(file)?.[1];
  if (publicKey === undefined) return { status: 404, sentence: "Name the script <public key of a DSN>.min.js." };
  if (!isLoaded()) return { status: 503, sentence: "The server is starting.", headers: { "retry-after": "1" } };
  const key = findKey(publicKey);
  if (!key) return { status: 404, sentence: "There is no DSN key with this public key." };
  if (!key.isEnabled) return { status: 403, sentence: "This DSN key is disabled." };
  const name = bundleName(key.sdkFeatures);
  const integrity = manifest?.integrity[name];
  if (!manifest || integrity === undefined) {
    return { status: 503, sentence: "There are no bundles of the SDK: `npm run build` makes them." };
  }
  const script = loaderScript({
    publicKey,
    projectId: key.projectId,
    features: key.sdkFeatures,
    bundle: `${manifest.path}/${name}`,
    integrity,
    tunnel,
    base: baseUrl().replace(/\/$/, ""),
  });
  return { script };
}

function send(req: IncomingMessage, res: ServerResponse, script: string): void {
  const etag = `"${createHash("sha256").update(script).digest("base64url").slice(0, 22)}"`;
  const headers = { ...HEADERS, "cache-control": `public, max-age=${MAX_AGE_SECONDS}`, etag };
  if (req.headers["if-none-match"]?.includes(etag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, { ...headers, "content-length": Buffer.byteLength(script) });
  res.end(req.method === "HEAD" ? undefined : script);
}

const HEADERS = {
  "content-type": "text/javascript; charset=utf-8",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};

/** A comment: what a browser shows of a script that it could not run. */
function refuse(res: ServerResponse, { status, sentence, headers = {} }: Refused): void {
  res.writeHead(status, { ...HEADERS, "cache-control": "no-store", ...headers }).end(`// ${sentence}\n`);
}
