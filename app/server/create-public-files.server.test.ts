import { beforeEach, describe, expect, test } from "vitest";
import { MIB } from "../domain/bytes.ts";
import type { Project } from "../domain/project.ts";
import type { FetchPublicFileOptions, PublicFileAnswer } from "../outbound/fetch-public-file.server.ts";
import { createPublicFiles } from "./create-public-files.server.ts";

const PROJECT: Project = {
  id: 1,
  slug: "web",
  name: "Web",
  platform: "javascript",
  allowedOrigins: [],
  sourceLinks: null,
  fetchesSourceMaps: true,
  serviceRules: [],
  apdexMs: 300,
  groupingMovedAt: null,
  createdAt: 0,
  firstEventAt: null,
};

let project: Project;
let now: number;
let asked: string[];
let answerWith: (url: string) => Promise<PublicFileAnswer>;

beforeEach(() => {
  project = PROJECT;
  now = 1_000_000;
  asked = [];
  answerWith = async (url) => ({ kind: "fetched", bytes: Buffer.from(url), sourceMapUrl: null });
});

function open() {
  return createPublicFiles({
    projects: { getProject: async (id) => (id === 1 ? project : null) },
    fetchFile: (url, options: FetchPublicFileOptions) => {
      asked.push(url);
      // Names of strangers wait for their turn.
      expect(options.resolve).toBeDefined();
      const reason = options.refuse?.(new URL(url)) ?? null;
      return reason === null ? answerWith(url) : Promise.resolve({ kind: "refused", reason });
    },
    now: () => now,
  });
}

const APP = "https://shop.example/app.js";

describe("what projects allow", () => {
  test("nothing is fetched unless the project says so", async () => {
    project = { ...PROJECT, fetchesSourceMaps: false };
    const files = open();
    expect(await files.isEnabled(1)).toBe(false);
    expect(await files.isEnabled(2)).toBe(false);
    expect(await files.fetch(1, APP)).toEqual({ kind: "refused", reason: "the project does not allow it" });
    expect(await files.fetch(2, APP)).toMatchObject({ kind: "refused" });
    expect(asked).toEqual([]);
  });

  test("only the allowed origins are asked, where there are some; a change counts at once", async () => {
    project = { ...PROJECT, allowedOrigins: ["*.shop.example", "https://cdn.example"] };
    const files = open();
    expect(await files.fetch(1, "https://www.shop.example/app.js")).toMatchObject({ kind: "fetched" });
    expect(await files.fetch(1, "https://cdn.example/app.js")).toMatchObject({ kind: "fetched" });
    expect(await files.fetch(1, "https://shop.example.evil.example/app.js")).toEqual({
      kind: "refused",
      reason: "https://shop.example.evil.example is not an allowed origin of the project",
    });
    project = { ...PROJECT, allowedOrigins: ["https://other.example"] };
    expect(await files.fetch(1, "https://cdn.example/app.js")).toMatchObject({ kind: "refused" });
  });
});

describe("answers", () => {
  test("are kept ten minutes, those that failed two, and asked for once by several at a time", async () => {
    const files = open();
    const [first, second] = await Promise.all([files.fetch(1, APP), files.fetch(1, APP)]);
    expect(second).toBe(first);
    now += 9 * 60_000;
    await files.fetch(1, APP);
    expect(asked).toEqual([APP]);
    now += 2 * 60_000;
    answerWith = async () => ({ kind: "failed", reason: "the server answered 404" });
    expect(await files.fetch(1, APP)).toMatchObject({ kind: "failed" });
    now += 60_000;
    await files.fetch(1, APP);
    expect(asked).toHaveLength(2);
    now += 61_000;
    await files.fetch(1, APP);
    expect(asked).toHaveLength(3);
  });

  test("are named by their content, and can be read by that name while they are kept", async () => {
    const files = open();
    const answer = await files.fetch(1, APP);
    if (answer.kind !== "fetched") throw new Error(answer.kind);
    expect(files.readFetched({ checksum: answer.version })?.toString()).toBe(APP);
    expect(files.readFetched({ checksum: "url:other" })).toBeNull();
  });

  test("take a bounded part of memory: the oldest go", async () => {
    const files = open();
    answerWith = async (url) => ({ kind: "fetched", bytes: Buffer.alloc(30 * MIB, url), sourceMapUrl: null });
    const versions: string[] = [];
    for (const name of ["a", "b", "c"]) {
      const answer = await files.fetch(1, `https://shop.example/${name}.js`);
      if (answer.kind === "fetched") versions.push(answer.version);
    }
    expect(versions.map((checksum) => files.readFetched({ checksum })?.length ?? null)).toEqual([
      null,
      30 * MIB,
      30 * MIB,
    ]);
  });

  test("are asked for four at a time, and a crowd is turned away and may come again", async () => {
    const files = open();
    const resolves: Array<() => void> = [];
    let running = 0;
    let most = 0;
    answerWith = (url) => {
      most = Math.max(most, ++running);
      return new Promise((resolve) =>
        resolves.push(() => {
          running--;
          resolve({ kind: "fetched", bytes: Buffer.from(url), sourceMapUrl: null });
        }),
      );
    };
    const all = Array.from({ length: 200 }, (_, index) => files.fetch(1, `https://shop.example/${index}.js`));
    const settled = Promise.all(all);
    let isDone = false;
    void settled.then(() => {
      isDone = true;
    });
    while (!isDone) {
      resolves.shift()?.();
      await new Promise((turn) => setImmediate(turn));
    }
    const kinds = (await settled).map(({ kind }) => kind);
    expect(most).toBe(4);
    expect(kinds.filter((kind) => kind === "fetched")).toHaveLength(104);
    answerWith = async (url) => ({ kind: "fetched", bytes: Buffer.from(url), sourceMapUrl: null });
    expect(await files.fetch(1, "https://shop.example/199.js")).toMatchObject({ kind: "fetched" });
  });
});
