import { expect, test } from "vitest";
import { type CodeMapping, findCodeMapping, toRepositoryPath } from "./code-mapping.ts";

const map = (stackRoot: string, sourceRoot: string): CodeMapping => ({ stackRoot, sourceRoot });

test("without mappings, a path is where the frame says", () => {
  expect(toRepositoryPath([], { filename: "./src/a.ts" })).toBe("src/a.ts");
  expect(toRepositoryPath([], { filename: "/srv/app/src/a.ts" })).toBeNull();
});

test("the first that fits is taken, whatever fits better", () => {
  const mappings = [map("/srv/", "all"), map("/srv/app/", "app"), map("", "rest")];
  expect(toRepositoryPath(mappings, { filename: "/srv/app/a.ts" })).toBe("all/app/a.ts");
  expect(toRepositoryPath(mappings.slice(1), { filename: "/srv/app/a.ts" })).toBe("app/a.ts");
  expect(toRepositoryPath(mappings, { filename: "a.ts" })).toBe("rest/a.ts");
  expect(toRepositoryPath(mappings, { filename: "/opt/a.ts" })).toBeNull();
  expect(findCodeMapping(mappings, { filename: "a.ts" })?.index).toBe(2);
});

test.each([
  ["/srv/app", "/srv/app/src/a.ts", "web/src/a.ts"],
  ["/srv/app/", "/srv/app/src/a.ts", "web/src/a.ts"],
  ["C:\\app\\", "C:\\app\\src\\a.ts", "web/src/a.ts"],
  ["C:/app", "C:\\app\\src\\a.ts", "web/src/a.ts"],
  ["app:///", "app:///src/a.ts", "web/src/a.ts"],
  ["src", "src/a.ts", "web/a.ts"],
  ["src", "webpack://shop/./src/a.ts?4f2e", "web/a.ts"],
  ["com/acme/shop", "com/acme/shop/Cart.java", "web/Cart.java"],
])("%s fits %s", (stackRoot, filename, path) => {
  expect(toRepositoryPath([map(stackRoot, "web")], { filename })).toBe(path);
});

test.each([
  ["/srv/app", "/srv/app2/a.ts"],
  ["src", "srcs/a.ts"],
  ["src", "/srv/src/a.ts"],
  ["/srv/app/", "/srv/app/../../etc/passwd"],
  ["/srv/app/", "/srv/app/node_modules/react/index.js"],
  ["/srv/app/", "/srv/app/"],
])("%s leads nowhere for %s", (stackRoot, filename) => {
  expect(toRepositoryPath([map(stackRoot, "")], { filename })).toBeNull();
});

test("the whole path of a frame is looked at too", () => {
  const mappings = [map("/srv/app/", "")];
  expect(toRepositoryPath(mappings, { filename: "a.ts", abs_path: "/srv/app/src/a.ts" })).toBe("src/a.ts");
});
