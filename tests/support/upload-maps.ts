import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Frame } from "../../app/domain/event.ts";
import { type BundleFile, makeBundle } from "../../app/symbolicate/fixtures/map-stacks.ts";
import { getJson } from "./api.ts";
import type { TestServer } from "./start-server.ts";
import { createUploadClient, cut, sha1, toChunk } from "./upload-client.ts";

const BUNDLES = resolve(import.meta.dirname, "../fixtures/bundles");

/** Of the bundlers whose builds of one source are recorded. */
export type Bundler = "rolldown" | "terser" | "esbuild" | "webpack";

/** The script and its map, as the tools pack them: by debug id where there is one. */
export function recordedBundle(bundler: Bundler, { debugId }: { debugId?: string } = {}): Buffer {
  const headers = debugId === undefined ? {} : { "debug-id": debugId };
  const file = (name: string, type: string): BundleFile => ({
    url: `~/assets/${name}`,
    type,
    headers,
    content: readFileSync(join(BUNDLES, name)),
  });
  return makeBundle([file(`${bundler}.js`, "minified_source"), file(`${bundler}.js.map`, "source_map")]);
}

/** The frames of a recorded error in the build of a bundler, as the SDK sends them. */
export function recordedFrames(bundler: Bundler, name = "plainFunction"): Frame[] {
  const stacks: Record<string, Frame[]> = JSON.parse(readFileSync(join(BUNDLES, `${bundler}.stacks.json`), "utf8"));
  return (stacks[name] ?? []).map((frame) => ({ ...frame, in_app: true }));
}

/** Uploads a bundle as the tools do. */
export async function uploadMaps(
  server: Pick<TestServer, "url" | "token">,
  bundle: Buffer,
  body: Record<string, unknown> = {},
): Promise<void> {
  const client = createUploadClient(server);
  const { chunkSize } = await getJson<{ chunkSize: number }>(server, "/organizations/default/chunk-upload/");
  const chunks = cut(bundle, chunkSize);
  for (const chunk of chunks) {
    const response = await client.postChunks([toChunk(chunk)]);
    if (response.status !== 200) throw new Error(`a chunk was answered with ${response.status}`);
  }
  const question = { checksum: sha1(bundle), chunks: chunks.map(sha1), projects: ["shop"], ...body };
  const answer = (await (await client.assemble(question)).json()) as { state: string; detail: string | null };
  if (answer.state !== "ok") throw new Error(`the upload is ${answer.state}: ${answer.detail}`);
}
