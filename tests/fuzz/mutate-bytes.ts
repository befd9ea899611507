import type { Chance } from "./fuzz-run.ts";

/** Pieces that mean something to one parser or another. */
const TOKENS = [
  "\n",
  "\r\n",
  "\n\n",
  "{}",
  "[]",
  "null",
  "\0",
  "\uFEFF",
  '{"type":"event"}\n',
  '{"type":"event","length":0}\n',
  '{"type":"attachment","length":3}\nabc\n',
  '{"type":"attachment","length":-1}\n',
  '{"type":"attachment","length":99999999999}\n',
  '{"type":"client_report"}\n',
  '{"type":"session"}\n{}\n',
  '"length":',
  '"event_id":"00000000000000000000000000000000"',
  '"dsn":"http://127.0.0.1/1"',
  "__proto__",
  "NaN",
  "-Infinity",
  "1e999",
  "9007199254740993",
  "\\ud800",
  "\\u0000",
  '"',
  "\\",
  "{".repeat(200),
  "[".repeat(200),
].map((text) => Buffer.from(text));

/** Binary beginnings that decoders look for. */
const MAGIC = ["1f8b08", "28b52ffd", "789c", "7801", "78da", "7b", "efbbbf", "ffff", "8b0080"].map((hex) =>
  Buffer.from(hex, "hex"),
);

/** A few changes at random places: never more than twice as long, and some bytes. */
export function mutateBytes(bytes: Uint8Array, chance: Chance): Buffer {
  let result = Buffer.from(bytes);
  const changes = 1 + chance.int(6);
  for (let change = 0; change < changes; change++) result = mutateOnce(result, chance);
  return result;
}

function mutateOnce(bytes: Buffer<ArrayBuffer>, chance: Chance): Buffer<ArrayBuffer> {
  const at = chance.int(bytes.length + 1);
  const length = chance.int(Math.min(64, bytes.length - at) + 1);
  const before = bytes.subarray(0, at);
  switch (chance.int(8)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (flipped.length > 0) flipped[chance.int(flipped.length)] = chance.int(256);
      return flipped;
    }
    case 1:
      return Buffer.concat([before, bytes.subarray(at + length)]);
    case 2:
      return Buffer.concat([before, chance.pick(TOKENS), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([before, chance.pick(TOKENS), bytes.subarray(at + length)]);
    case 4:
      return Buffer.concat([before, bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 5:
      return Buffer.from(before);
    case 6:
      return Buffer.concat([chance.pick(MAGIC), bytes.subarray(chance.int(4))]);
    default: {
      const noise = Buffer.from(Array.from({ length: chance.int(16) }, () => chance.int(256)));
      return Buffer.concat([before, noise, bytes.subarray(at)]);
    }
  }
}
