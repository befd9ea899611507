import { expect, test } from "vitest";
import type { Frame } from "../../domain/event.ts";
import { normalizeTestEvent } from "../../normalize/normalize-test-event.ts";
import { findMissingNames } from "./missing-names.ts";

const ELF = { type: "elf", code_file: "/opt/shop/bin/shop", image_addr: "0x5500000000", image_size: 65_536 };

function missing(frames: Frame[], images: object[], release = "shop@1.2+7") {
  const exception = { values: [{ type: "SIGSEGV", stacktrace: { frames } }] };
  return findMissingNames(
    normalizeTestEvent({ platform: "native", release, dist: "7", exception, debug_meta: { images } }),
  );
}

function at(instruction_addr: string, more: Frame = {}): Frame {
  return { instruction_addr, ...more };
}

test("frames without symbols are counted, and a command finds their names, innermost first", () => {
  const found = missing([at("0x5500001607"), at("0x5500001342"), at("0x55000012ec")], [ELF]);
  expect(found).toEqual({
    text: "3 frames of the app have no names: Culprit reads no debug files.",
    hint: "The addresses lead to names in shop of shop@1.2+7, as it was built: with its symbols.",
    // Addresses of callers are those of the call: one before the address where they continue.
    command: "addr2line -Cfipe shop 0x12ec 0x1341 0x1606",
  });
});

test("the addresses of a program that is not moved are those of its file", () => {
  const image = { ...ELF, image_addr: "0x400000", code_file: "/opt/my shop/it's" };
  expect(missing([at("0x401607")], [image])?.command).toBe("addr2line -Cfipe 'it'\\''s' 0x401607");
});

test("on Apple's systems, atos takes the addresses as they were", () => {
  const image = { ...ELF, type: "macho", arch: "arm64", code_file: "/Users/x/Shop.app/Shop" };
  const frames = [at("0x5500001608", { function: "<redacted>" }), at("0x55000012ec", { function: "<redacted>" })];
  expect(missing(frames, [image])?.command).toBe("atos -arch arm64 -o Shop -l 0x5500000000 0x55000012ec 0x5500001607");
});

test("of an image of Windows there is no command", () => {
  expect(missing([at("0x5500001607")], [{ ...ELF, type: "pe", code_file: "C:\\Shop\\pay.dll" }])).toMatchObject({
    hint: expect.stringContaining("pay.dll"),
    command: null,
  });
});

test("frames with names, and those of the system, miss nothing", () => {
  expect(missing([at("0x5500001607", { function: "pay" })], [ELF])).toBeNull();
  expect(missing([at("0x7f00001607", { package: "/usr/lib/libc.so.6" })], [ELF])).toBeNull();
});
