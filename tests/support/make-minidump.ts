/** A minidump of one crash of an AMD64 program: the streams that say what happened, and two images. */
export function makeMinidump({
  platform = 0x8201,
  code = 11,
  address = 0x20n,
  instruction = 0x5500_0000_12ecn,
  parameters = [],
}: {
  /** Linux, unless given. */
  platform?: number;
  code?: number;
  address?: bigint;
  instruction?: bigint;
  parameters?: bigint[];
} = {}): Buffer {
  const names = ["/opt/shop/bin/shop", "/usr/lib/x86_64-linux-gnu/libc.so.6"];
  const dump = Buffer.alloc(4_096);
  dump.write("MDMP", 0, "latin1");
  dump.writeUInt32LE(0xa793, 4);
  dump.writeUInt32LE(3, 8);
  dump.writeUInt32LE(32, 12);
  const at = { system: 100, exception: 200, registers: 400, modules: 1_700, names: 2_000 };
  for (const [i, [type, rva]] of [
    [7, at.system],
    [6, at.exception],
    [4, at.modules],
  ].entries()) {
    dump.writeUInt32LE(type ?? 0, 32 + i * 12);
    dump.writeUInt32LE(rva ?? 0, 32 + i * 12 + 8);
  }
  dump.writeUInt16LE(9, at.system);
  dump.writeUInt32LE(platform, at.system + 20);
  dump.writeUInt32LE(code, at.exception + 8);
  dump.writeBigUInt64LE(address, at.exception + 24);
  dump.writeUInt32LE(parameters.length, at.exception + 32);
  for (const [i, parameter] of parameters.entries()) dump.writeBigUInt64LE(parameter, at.exception + 40 + i * 8);
  dump.writeUInt32LE(1_232, at.exception + 160);
  dump.writeUInt32LE(at.registers, at.exception + 164);
  dump.writeBigUInt64LE(instruction, at.registers + 248);
  dump.writeUInt32LE(names.length, at.modules);
  for (const [i, name] of names.entries()) {
    const module = at.modules + 4 + i * 108;
    dump.writeBigUInt64LE([0x5500_0000_0000n, 0x7f00_0000_0000n][i] ?? 0n, module);
    dump.writeUInt32LE(8_192, module + 8);
    dump.writeUInt32LE(at.names + i * 200, module + 20);
    dump.writeUInt32LE(name.length * 2, at.names + i * 200);
    dump.write(name, at.names + i * 200 + 4, "utf16le");
  }
  return dump;
}
