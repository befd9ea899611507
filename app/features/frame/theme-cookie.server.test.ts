import { expect, test } from "vitest";
import { readTheme, serializeTheme } from "./theme-cookie.server.ts";

const withCookie = (cookie: string) => new Request("http://x/", { headers: { cookie } });

test("without a choice the theme is the device's", () => {
  expect(readTheme(new Request("http://x/"))).toBe("system");
});

test("a choice is read back, among other cookies", () => {
  const [pair] = serializeTheme("dark").split(";");
  expect(readTheme(withCookie(`a=b; ${pair}; c=d`))).toBe("dark");
});

test("anything else in the cookie is no choice", () => {
  expect(readTheme(withCookie("culprit_theme=<script>"))).toBe("system");
  expect(readTheme(withCookie("xculprit_theme=dark"))).toBe("system");
});

test("choosing the device's forgets the choice", () => {
  expect(serializeTheme("system")).toContain("Max-Age=0");
});
