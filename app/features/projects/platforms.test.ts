import { expect, test } from "vitest";
import { toPlatform } from "./platforms.ts";

test("an unknown platform is shown as something else", () => {
  expect(toPlatform("cobol").id).toBe("other");
  expect(toPlatform("python-django").label).toBe("Django");
});
