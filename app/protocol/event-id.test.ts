import { describe, expect, test } from "vitest";
import { normalizeEventId } from "./event-id.ts";

const ID = "9ec79c33ec9942ab8353589fcb2e04dc";

describe("normalizeEventId", () => {
  test("gives 32 lower-case hex characters for every form SDKs use", () => {
    expect(normalizeEventId(ID)).toBe(ID);
    expect(normalizeEventId(ID.toUpperCase())).toBe(ID);
    expect(normalizeEventId("9ec79c33-ec99-42ab-8353-589fcb2e04dc")).toBe(ID);
    expect(normalizeEventId("9EC79C33-EC99-42AB-8353-589FCB2E04DC")).toBe(ID);
    expect(normalizeEventId(` ${ID}\n`)).toBe(ID);
  });

  test.each([
    ["a character too few", ID.slice(1)],
    ["a character too many", `${ID}0`],
    ["a letter beyond f", `g${ID.slice(1)}`],
    ["dashes in the wrong places", "9ec79c33e-c99-42ab-8353-589fcb2e04dc"],
    ["the nil id", "0".repeat(32)],
    ["a number", 12],
    ["nothing", undefined],
  ])("gives null for %s", (_, value) => {
    expect(normalizeEventId(value)).toBeNull();
  });
});
