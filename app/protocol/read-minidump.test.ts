import { describe, expect, test } from "vitest";
import { makeMinidump } from "../../tests/support/make-minidump.ts";
import { readMinidump } from "./read-minidump.ts";

const WINDOWS = 2;
const MAC = 0x8101;

describe("a minidump", () => {
  test("says what stopped the program, where, and which images were loaded", () => {
    expect(readMinidump(makeMinidump())).toEqual({
      type: "SIGSEGV",
      address: "0x20",
      instruction: "0x5500000012ec",
      images: [
        { type: "elf", code_file: "/opt/shop/bin/shop", image_addr: "0x550000000000", image_size: 8_192 },
        {
          type: "elf",
          code_file: "/usr/lib/x86_64-linux-gnu/libc.so.6",
          image_addr: "0x7f0000000000",
          image_size: 8_192,
        },
      ],
    });
  });

  test.each([
    [MAC, 1, "EXC_BAD_ACCESS", "0x20"],
    [WINDOWS, 0xc0000005, "EXCEPTION_ACCESS_VIOLATION", "0x10"],
    [WINDOWS, 0xe06d7363, "C++ exception", null],
    [WINDOWS, 0xc0000420, "Exception 0xc0000420", null],
    [0x8203, 6, "SIGABRT", "0x20"],
    [0x8201, 16, "Signal 0x10", "0x20"],
    [0x8201, 0xffffffff, null, "0x20"],
  ])("of system %i with the code %i is called %s", (platform, code, type, address) => {
    const crash = readMinidump(makeMinidump({ platform, code, parameters: [0n, 0x10n] }));
    expect(crash).toMatchObject({ type, address });
  });

  test("that is cut, or leads out of the file, or is something else, says nothing", () => {
    const dump = makeMinidump();
    expect(readMinidump(Buffer.from("MDMP"))).toBeNull();
    expect(readMinidump(Buffer.from("PK".repeat(100)))).toBeNull();
    for (let length = 0; length < 2_300; length += 7) {
      const crash = readMinidump(dump.subarray(0, length));
      expect(crash === null || crash.images.length <= 2).toBe(true);
    }
    const strange = Buffer.from(dump);
    strange.writeUInt32LE(0xffffffff, 1_700);
    expect(readMinidump(strange)).toBeNull();
    strange.writeUInt32LE(0xfffffff0, 12);
    expect(readMinidump(strange)).toBeNull();
  });
});
