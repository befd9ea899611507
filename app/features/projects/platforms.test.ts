import { expect, test } from "vitest";
import { toPlatform } from "./platforms.ts";

test("an unknown platform is shown as something else", () => {
  expect(toPlatform("cobol").id).toBe("other");
  expect(toPlatform("python-django").label).toBe("Django");
  expect(toPlatform("java-spring-boot").label).toBe("Spring Boot");
});

test("a framework without snippets of its own is shown as its language", () => {
  expect(toPlatform("go-gin").id).toBe("go");
  expect(toPlatform("java-log4j2").id).toBe("java");
});
