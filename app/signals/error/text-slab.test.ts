import { expect, test } from "vitest";
import { TextSlab } from "./text-slab.ts";

const TEXTS = ["", "a", "ü€😀", "x".repeat(100_000), "€".repeat(80_000), "y".repeat(2_000_000), "\ud800 alone"];

test("texts come back as they were written, however many there are and whatever their size", () => {
  const slab = new TextSlab();
  const written = Array.from({ length: 200 }, (_, index) => TEXTS[index % TEXTS.length] ?? "");
  const encoded = written.map((text) => slab.encode(text));
  expect(encoded.every((bytes, index) => Buffer.from(written[index] ?? "").equals(bytes))).toBe(true);
});

test("short texts share a buffer", () => {
  const slab = new TextSlab();
  expect(slab.encode("a").buffer).toBe(slab.encode("b").buffer);
});
