import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { makeZip, SYSB_PREFIX } from "../../app/symbolicate/fixtures/make-zip.ts";
import type { TestServer } from "./start-server.ts";

export interface ChunkPart {
  name: "file" | "file_gzip" | (string & {});
  fileName: string;
  content: Uint8Array;
}

/** Uploads as sentry-cli does, and in ways it never would. */
export interface UploadClient {
  postChunks(parts: ChunkPart[]): Promise<Response>;
  assemble(body: Record<string, unknown>): Promise<Response>;
}

export function createUploadClient(server: Pick<TestServer, "url" | "token">): UploadClient {
  const headers = { authorization: `Bearer ${server.token}` };
  return {
    postChunks(parts) {
      const form = new FormData();
      for (const { name, fileName, content } of parts) form.append(name, new Blob([content as BlobPart]), fileName);
      return fetch(`${server.url}/api/0/organizations/default/chunk-upload/`, { method: "POST", headers, body: form });
    },
    assemble(body) {
      return fetch(`${server.url}/api/0/organizations/default/artifactbundle/assemble/`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    },
  };
}

export function sha1(content: Uint8Array): string {
  return createHash("sha1").update(content).digest("hex");
}

export function toChunk(content: Uint8Array): ChunkPart {
  return { name: "file", fileName: sha1(content), content };
}

export function toGzipChunk(content: Uint8Array): ChunkPart {
  return { name: "file_gzip", fileName: sha1(content), content: gzipSync(content) };
}

/** Cuts as the server's options say. */
export function cut(content: Uint8Array, chunkBytes: number): Uint8Array[] {
  const count = Math.max(1, Math.ceil(content.length / chunkBytes));
  return Array.from({ length: count }, (_, index) => content.subarray(index * chunkBytes, (index + 1) * chunkBytes));
}

/** An artifact bundle of one script with its map, stored without compression; `extraBytes` of chance make it large. */
export function makeArtifactBundle({
  debugId = crypto.randomUUID(),
  extraBytes = 0,
}: {
  debugId?: string;
  extraBytes?: number;
} = {}): Buffer {
  const source = `f();\n//${randomBytes(Math.ceil(extraBytes / 2)).toString("hex")}\n//# sourceMappingURL=app.js.map\n`;
  const map = {
    version: 3,
    sources: ["app.ts"],
    sourcesContent: ["f();"],
    names: [],
    mappings: "AAAA",
    debug_id: debugId,
  };
  const files = {
    "_/_/app.js": {
      type: "minified_source",
      url: "~/app.js",
      headers: { "debug-id": debugId, sourcemap: "app.js.map" },
    },
    "_/_/app.js.map": { type: "source_map", url: "~/app.js.map", headers: { "debug-id": debugId } },
  };
  const manifest = { debug_id: crypto.randomUUID(), files };
  return makeZip(
    [
      { path: "_/_/app.js", content: source, isStored: true },
      { path: "_/_/app.js.map", content: JSON.stringify(map) },
      { path: "manifest.json", content: JSON.stringify(manifest) },
    ],
    { prefix: SYSB_PREFIX },
  );
}
