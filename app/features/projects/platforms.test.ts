import { describe, expect, test } from "vitest";
import { PLATFORMS, toPlatform, withDsn } from "./platforms.ts";

const dsn = "https://0123456789abcdef0123456789abcdef@culprit.example/7";

describe("platforms", () => {
  test("every platform has a snippet that carries the DSN", () => {
    for (const platform of PLATFORMS) {
      expect(
        platform.files.some((file) => withDsn(file.code, dsn).includes(dsn)),
        platform.id,
      ).toBe(true);
    }
  });

  test("the name of a setting is not mistaken for the DSN", () => {
    expect(withDsn("export SENTRY_DSN=DSN", dsn)).toBe(`export SENTRY_DSN=${dsn}`);
    expect(withDsn("SENTRY_LARAVEL_DSN=DSN", dsn)).toBe(`SENTRY_LARAVEL_DSN=${dsn}`);
  });

  test("an unknown platform is shown as something else", () => {
    expect(toPlatform("cobol").id).toBe("other");
    expect(toPlatform("python-django").label).toBe("Django");
  });
});
