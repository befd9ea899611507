import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** Made by the build beside each file that they make smaller; the first one that a browser takes is sent. */
const ENCODINGS = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;

interface StaticFile {
  path: string;
  type: string;
  /** True if the name contains a hash of the content or a version: the file never changes. */
  isImmutable: boolean;
  /** Pages of other origins load it, too. */
  isForEveryPage: boolean;
  encodings: ReadonlyArray<(typeof ENCODINGS)[number]>;
}

interface Content {
  bytes: Buffer;
  etag: string;
}

/**
 * Serves the files of a folder, as it was listed at the start. Kept in memory once asked for: the whole build is smaller
 * than two photographs. Source maps and hidden files are not served.
 *
 * @returns what answers a request for one of them; false when it is for something else.
 */
export function createStaticFiles(folder: string): (req: IncomingMessage, res: ServerResponse) => boolean {
  const files = listFiles(folder);
  const contents = new Map<string, Promise<Content>>();

  const load = (path: string): Promise<Content> => {
    const known = contents.get(path);
    if (known) return known;
    const loading = readFile(path).then((bytes) => ({
      bytes,
      etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    }));
    contents.set(path, loading);
    loading.catch(() => contents.delete(path));
    return loading;
  };

  return (req, res) => {
    if (req.method !== "GET" && req.method !== "HEAD") return false;
    const url = req.url ?? "/";
    const queryAt = url.indexOf("?");
    const name = queryAt === -1 ? url : url.slice(0, queryAt);
    // Every browser asks for `/favicon.ico` unless a page names another icon.
    const file = files.get(name === "/favicon.ico" && !files.has(name) ? "/favicon.svg" : name);
    if (file) {
      send(req, res, file, load).catch(() => {
        // The file is gone from under the running server.
        if (!res.headersSent) res.writeHead(404, { "content-type": "text/plain", "cache-control": "no-store" });
        res.end();
      });
      return true;
    }
    if (!name.startsWith("/assets/")) return false;
    // A file of another build. Rendering a whole page for this answer would be a waste.
    res.writeHead(404, { "content-type": "text/plain", "cache-control": "no-store" });
    res.end("Not found\n");
    return true;
  };
}

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  file: StaticFile,
  load: (path: string) => Promise<Content>,
): Promise<void> {
  const encoding = file.encodings.find(({ name }) => acceptsEncoding(req.headers["accept-encoding"], name));
  const { bytes, etag } = await load(file.path + (encoding?.extension ?? ""));
  const headers: Record<string, string | number> = {
    "content-type": file.type,
    "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    etag,
    "x-content-type-options": "nosniff",
  };
  if (file.isForEveryPage) {
    headers["access-control-allow-origin"] = "*";
    headers["cross-origin-resource-policy"] = "cross-origin";
  }
  if (file.encodings.length > 0) headers.vary = "accept-encoding";
  if (req.headers["if-none-match"]?.includes(etag)) {
    res.writeHead(304, headers).end();
    return;
  }
  headers["content-length"] = bytes.length;
  if (encoding) headers["content-encoding"] = encoding.name;
  res.writeHead(200, headers);
  res.end(req.method === "HEAD" ? undefined : bytes);
}

function acceptsEncoding(header: string | string[] | undefined, name: string): boolean {
  return String(header ?? "")
    .split(",")
    .some((part) => {
      const [token = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      return token === name && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}

/** A bundle of the browser SDK: its path holds the SDK's version. */
function isOfSdk(name: string): boolean {
  return /^\/js-sdk\/[^/]+\/[^/]+\.js$/.test(name);
}

/** The files by their path in the URL. */
function listFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  if (!existsSync(folder)) return files;
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const all = new Set(paths);
  for (const path of paths) {
    const name = `/${relative(folder, path).split(sep).join("/")}`;
    const type = TYPES[extname(path)];
    if (!type || name.includes("/.")) continue;
    files.set(name, {
      path,
      type,
      isImmutable: name.startsWith("/assets/") || isOfSdk(name),
      isForEveryPage: isOfSdk(name),
      encodings: ENCODINGS.filter(({ extension }) => all.has(path + extension)),
    });
  }
  return files;
}
