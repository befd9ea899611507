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

test("a buffer is used again when all of its texts were given back, and not before", () => {
  const slab = new TextSlab();
  const text = "x".repeat(20_000);
  const fill = () => {
    const texts = [slab.encode(text)];
    for (let next = slab.encode(text); next.buffer === texts[0]?.buffer; next = slab.encode(text)) texts.push(next);
    return texts;
  };
  const texts = fill();
  slab.give(texts.slice(1));
  expect(fill()[0]?.buffer).not.toBe(texts[0]?.buffer);
  slab.give(texts.slice(0, 1));
  const [last] = fill().slice(-1);
  expect(slab.encode(text).buffer).toBe(texts[0]?.buffer);
  expect(Buffer.from(text).equals(last as Uint8Array)).toBe(true);
});

test("the buffer in hand is filled from its start again when all of its texts were given back", () => {
  const slab = new TextSlab();
  const first = slab.encode("a");
  const second = slab.encode("b");
  slab.give([first]);
  expect(slab.encode("c").byteOffset).toBe(2);
  slab.give([second, slab.encode("d")]);
  expect(slab.encode("e").byteOffset).toBe(4);
});

test("texts of others may be among those that are given back", () => {
  const slab = new TextSlab();
  const text = slab.encode("a");
  slab.give([Buffer.from("elsewhere"), new Uint8Array(0)]);
  expect(slab.encode("b").byteOffset).toBe(1);
  expect(Buffer.from("a").equals(text)).toBe(true);
});

test("after a large batch, the buffers that a small one does not need are freed", () => {
  const slab = new TextSlab();
  const large = Array.from({ length: 200 }, () => slab.encode("x".repeat(20_000)));
  slab.give(large);
  const kept = new Set(large.filter(({ length }) => length > 0).map(({ buffer }) => buffer));
  slab.give([slab.encode("a")]);
  expect(kept.size).toBeGreaterThan(2);
  expect([...kept].filter(({ byteLength }) => byteLength > 0)).toHaveLength(2);
});
