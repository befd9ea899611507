import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ROUTE_RIGHTS } from "../../app/access/route-rights.server.ts";

test("links of documents lead to files and headings that are there", () => {
  const broken = globSync(["*.md", "docs/**/*.md"]).flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)/g)).flatMap(
      ([link, path, heading]) => {
        const target = path ? join(dirname(file), path) : file;
        const isThere = existsSync(target) && (heading === undefined || listHeadings(target).includes(heading));
        return isThere ? [] : [`${file}: ${link}`];
      },
    ),
  );
  expect(broken).toEqual([]);
});

test("docs/web-api.md names every page that can be had as Markdown", () => {
  const paths = Array.from(
    readFileSync("docs/web-api.md", "utf8").matchAll(/`(\/[^`\s]+)`/g),
    ([, path]) => path ?? "",
  );
  const pages = Object.keys(ROUTE_RIGHTS).filter((route) => /\.md\/?$/.test(route));
  const missing = pages.filter((route) => {
    const pattern = new RegExp(
      `^${route.replace(/\/$/, "").replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}(\\?.*)?$`,
    );
    return !paths.some((path) => pattern.test(path));
  });
  expect(pages.length).toBeGreaterThan(5);
  expect(missing).toEqual([]);
});

/** As GitHub names them in addresses. */
function listHeadings(file: string): string[] {
  const text = readFileSync(file, "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
