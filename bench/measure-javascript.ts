import { brotliCompressSync, constants } from "node:zlib";
import { signIn } from "../tests/support/browse.ts";
import { ENCODINGS, GROUP_COUNT } from "./event-kinds.ts";
import { formatNumber } from "./figure.ts";
import { startLoadGenerator } from "./load-generator.ts";
import { type Measurement, requireDsn, startBenchServer } from "./measurement.ts";
import { waitForStored } from "./server-metrics.ts";

/** Kilobytes (1,024 bytes), as the sizes in the notes about the stack. */
const GOAL_KB = 130;

interface Asset {
  path: string;
  compressedBytes: number;
}

/** What the issue list has to load before it can be used: scripts of its HTML, and what these import at once. */
export const measureJavascript: Measurement = {
  name: "js",
  what: "JavaScript that the issue list loads before it can be used, each file brotli 11",
  async run(bench) {
    await using server = await startBenchServer(bench);
    await using load = startLoadGenerator();
    // An empty list is another page.
    await load.prepare({
      dsn: requireDsn(server),
      sizeBytes: 10_000,
      encoding: ENCODINGS[0],
      groupCount: GROUP_COUNT,
      count: 200,
    });
    const { accepted } = await load.send({ url: server.url, count: 200 });
    await waitForStored(server, accepted);
    const visitor = await signIn(server);
    const { html, status } = await visitor.open("/issues");
    if (status !== 200) throw new Error(`/issues answered ${status}`);
    bench.say("js: compressing");
    const scripts = await loadScripts(server.url, findScripts(html));
    const styles = await Promise.all(findStyles(html).map((path) => loadAsset(server.url, path)));
    const sum = (assets: Asset[]) => assets.reduce((bytes, { compressedBytes }) => bytes + compressedBytes, 0) / 1024;
    const largest = [...scripts].sort((a, b) => b.compressedBytes - a.compressedBytes).slice(0, 5);
    return {
      figures: [
        {
          name: "js.firstLoad",
          what: "JavaScript of the first issue list",
          value: sum(scripts),
          unit: "kB",
          better: "lower",
          goal: GOAL_KB,
          note: `${scripts.length} files; ${largest.map(({ path, compressedBytes }) => `${shorten(path)} ${formatNumber(compressedBytes / 1024)}`).join(", ")}`,
        },
        {
          name: "js.css",
          what: "  and its CSS",
          value: sum(styles),
          unit: "kB",
          better: "lower",
          note: `${styles.length} files`,
        },
        {
          name: "js.html",
          what: "  and its HTML, 25 issues or more",
          value: compress(Buffer.from(html)) / 1024,
          unit: "kB",
          better: "lower",
        },
      ],
      cpu: null,
    };
  },
};

/** Module scripts and preloads of the HTML, and what inline modules import at once. */
export function findScripts(html: string): string[] {
  const paths = new Set<string>();
  for (const [tag] of html.matchAll(/<link\b[^>]*>/g)) {
    if (/\brel="?modulepreload\b/.test(tag)) add(/\bhref="([^"]+)"/.exec(tag)?.[1]);
  }
  for (const [, attributes = "", text = ""] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)) {
    add(/\bsrc="([^"]+)"/.exec(attributes)?.[1]);
    if (/\btype="?module\b/.test(attributes)) for (const path of findImports(text)) add(path);
  }
  return [...paths];

  function add(path: string | undefined): void {
    if (path?.startsWith("/")) paths.add(path);
  }
}

export function findStyles(html: string): string[] {
  const links = [...html.matchAll(/<link\b[^>]*>/g)].map(([tag]) => tag);
  const paths = links
    .filter((tag) => /\brel="?stylesheet\b/.test(tag))
    .map((tag) => /\bhref="([^"]+)"/.exec(tag)?.[1])
    .filter((path) => path !== undefined);
  return [...new Set(paths)];
}

/** What a built module imports statically; dynamic imports are loaded later. */
export function findImports(source: string): string[] {
  // A statement begins at the start, or after the end of another; in a string or a comment it would not.
  const statement =
    /(?:^|[;}\n\r])\s*(?:import|export)\s*(?:[\w$*{},\s]*?\bfrom\s*|\*\s*from\s*|\{[^}]*\}\s*from\s*)?["']([^"']+)["']/g;
  return [...source.matchAll(statement)].map(([, path]) => path ?? "");
}

async function loadScripts(url: string, first: readonly string[]): Promise<Asset[]> {
  const assets = new Map<string, Asset>();
  const waiting = [...first];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (assets.has(path)) continue;
    const text = await loadText(url, path);
    assets.set(path, { path, compressedBytes: compress(Buffer.from(text)) });
    for (const imported of findImports(text)) waiting.push(new URL(imported, new URL(path, url)).pathname);
  }
  return [...assets.values()];
}

async function loadAsset(url: string, path: string): Promise<Asset> {
  return { path, compressedBytes: compress(Buffer.from(await loadText(url, path))) };
}

async function loadText(url: string, path: string): Promise<string> {
  const response = await fetch(new URL(path, url));
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.text();
}

function compress(bytes: Buffer): number {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

function shorten(path: string): string {
  return path.replace(/^.*\//, "").replace(/-[\w-]{8}\.js$/, "");
}
