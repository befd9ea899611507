/** A crash as its minidump describes it: the reason, the instruction, and the loaded images. */
export interface MinidumpCrash {
  /** `SIGSEGV`, `EXCEPTION_ACCESS_VIOLATION`; null where the dump was made without a crash. */
  type: string | null;
  /** The address that was accessed, like `0x10`. */
  address: string | null;
  /** The address of the instruction; null for processors that are not known here. */
  instruction: string | null;
  images: MinidumpImage[];
}

export interface MinidumpImage {
  type: "elf" | "pe" | "macho";
  code_file: string;
  image_addr: string;
  image_size: number;
}

const SIGNATURE = "MDMP";
const HEADER_BYTES = 32;
const ENTRY_BYTES = 12;
const MODULE_BYTES = 108;
/** Dumps have some fifteen streams, and large apps some two hundred images. */
const MAX_STREAMS = 64;
const MAX_MODULES = 500;
const MAX_NAME_BYTES = 1_024;

const MODULES = 4;
const EXCEPTION = 6;
const SYSTEM = 7;

type System = "windows" | "apple" | "linux";

/**
 * Reads the format of Windows that Breakpad and Crashpad write on all systems. Null for anything else, and for a dump that is cut.
 * The stack is not unwound: that takes tables of each image.
 */
export function readMinidump(bytes: Uint8Array): MinidumpCrash | null {
  try {
    return readStreams(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    // An offset that points outside of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readStreams(dump: Buffer): MinidumpCrash | null {
  if (dump.length < HEADER_BYTES || dump.toString("latin1", 0, 4) !== SIGNATURE) return null;
  const streams = new Map<number, number>();
  const count = Math.min(dump.readUInt32LE(8), MAX_STREAMS);
  for (let i = 0, at = dump.readUInt32LE(12); i < count; i++, at += ENTRY_BYTES)
    streams.set(dump.readUInt32LE(at), dump.readUInt32LE(at + 8));
  const system = streams.get(SYSTEM);
  if (system === undefined) return null;
  const processor = dump.readUInt16LE(system);
  const platform = systemOf(dump.readUInt32LE(system + 20));
  const modules = streams.get(MODULES);
  const images = modules === undefined ? [] : readModules(dump, modules, platform);
  const exception = streams.get(EXCEPTION);
  if (exception === undefined) return { type: null, address: null, instruction: null, images };
  const code = dump.readUInt32LE(exception + 8);
  return {
    type: nameOf(code, platform),
    address: readAddress(dump, exception, code, platform),
    instruction: readInstruction(dump, exception, processor),
    images,
  };
}

function systemOf(platform: number): System {
  if (platform === 0x8101 || platform === 0x8102) return "apple";
  return platform >= 0x8000 ? "linux" : "windows";
}

function readModules(dump: Buffer, at: number, system: System): MinidumpImage[] {
  const images: MinidumpImage[] = [];
  const count = Math.min(dump.readUInt32LE(at), MAX_MODULES);
  for (let i = 0; i < count; i++) {
    const module = at + 4 + i * MODULE_BYTES;
    images.push({
      type: system === "windows" ? "pe" : system === "apple" ? "macho" : "elf",
      code_file: readName(dump, dump.readUInt32LE(module + 20)),
      image_addr: toHex(dump.readBigUInt64LE(module)),
      image_size: dump.readUInt32LE(module + 8),
    });
  }
  return images;
}

function readName(dump: Buffer, at: number): string {
  const length = Math.min(dump.readUInt32LE(at), MAX_NAME_BYTES);
  return dump.toString("utf16le", at + 4, at + 4 + length).toWellFormed();
}

/** On Windows, the second parameter of an access violation is the accessed address. The record's own address is that of the instruction. */
function readAddress(dump: Buffer, exception: number, code: number, system: System): string | null {
  if (system !== "windows") return toHex(dump.readBigUInt64LE(exception + 24));
  const hasAddress = code === ACCESS_VIOLATION && dump.readUInt32LE(exception + 32) >= 2;
  return hasAddress ? toHex(dump.readBigUInt64LE(exception + 48)) : null;
}

/** Offset in bytes of the instruction's address within the registers of a processor. */
function readInstruction(dump: Buffer, exception: number, processor: number): string | null {
  const context = dump.readUInt32LE(exception + 164);
  switch (processor) {
    case 0: // x86
      return toHex(BigInt(dump.readUInt32LE(context + 184)));
    case 5: // ARM
      return toHex(BigInt(dump.readUInt32LE(context + 64)));
    case 9: // AMD64
      return toHex(dump.readBigUInt64LE(context + 248));
    case 12: // ARM64
    case 0x8003: // ARM64 as older versions of Breakpad write it
      return toHex(dump.readBigUInt64LE(context + 264));
    default:
      return null;
  }
}

function toHex(number: bigint): string {
  return `0x${number.toString(16)}`;
}

const ACCESS_VIOLATION = 0xc0000005;

const NAMES: Record<System, Record<number, string>> = {
  linux: { 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV", 31: "SIGSYS" },
  apple: {
    1: "EXC_BAD_ACCESS",
    2: "EXC_BAD_INSTRUCTION",
    3: "EXC_ARITHMETIC",
    5: "EXC_SOFTWARE",
    6: "EXC_BREAKPOINT",
    10: "EXC_CRASH",
    11: "EXC_RESOURCE",
    12: "EXC_GUARD",
  },
  windows: {
    [ACCESS_VIOLATION]: "EXCEPTION_ACCESS_VIOLATION",
    2147483651: "EXCEPTION_BREAKPOINT",
    3221225501: "EXCEPTION_ILLEGAL_INSTRUCTION",
    3221225620: "EXCEPTION_INT_DIVIDE_BY_ZERO",
    3221225725: "EXCEPTION_STACK_OVERFLOW",
    3221226356: "STATUS_HEAP_CORRUPTION",
    3221226505: "STATUS_STACK_BUFFER_OVERRUN",
    3765269347: "C++ exception",
    3758096392: "Out of memory",
  },
};

/** Breakpad's word for a dump that the program asked for. */
const REQUESTED = 0xffffffff;

function nameOf(code: number, system: System): string | null {
  if (code === REQUESTED || (code === 0 && system !== "windows")) return null;
  return NAMES[system][code] ?? `${system === "linux" ? "Signal" : "Exception"} 0x${code.toString(16)}`;
}
