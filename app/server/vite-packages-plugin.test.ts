import { expect, test } from "vitest";
import { toPackagePlace } from "./vite-packages-plugin.ts";

test.each([
  ["/srv/app/routes.ts", null],
  ["/srv/node_modules/react/index.js", "node_modules/react"],
  ["/srv/node_modules/@radix-ui/react-dialog/dist/index.mjs?v=1", "node_modules/@radix-ui/react-dialog"],
  ["/srv/node_modules/a/node_modules/@b/c/d.js", "node_modules/a/node_modules/@b/c"],
  ["\0/srv/node_modules/react/index.js?commonjs-es-import", "node_modules/react"],
])("%s is of %s", (id, place) => {
  expect(toPackagePlace(id)).toBe(place);
});
