import type { Frame } from "../../domain/event.ts";

/**
 * Machine code without a name, in a form that is the same in every run: `libpay.so+0x1c40`, the image and the place in it. For code outside
 * of the app it is only the image, because addresses change with each version of a system. Null if it is in no image.
 */
export function addressOf(frame: Frame): string | null {
  const image = imageOf(frame);
  if (image === null) return null;
  return image.offset === null || frame.in_app !== true ? image.name : `${image.name}+0x${image.offset}`;
}

/** The image of a frame of machine code: the file's name and, if known, the distance from its start in hexadecimal digits. */
export interface ImagePlace {
  name: string;
  offset: string | null;
}

/** Reads the fields that normalisation wrote into the frame. */
export function imageOf({ package: path, instruction_addr, image_addr, addr_mode }: Frame): ImagePlace | null {
  const name = path === undefined ? "" : path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  if (name === "" || name.startsWith("<")) return null;
  const address = toNumber(instruction_addr);
  const start = addr_mode?.startsWith("rel:") ? 0n : toNumber(image_addr);
  const offset = address === null || start === null || start > address ? null : (address - start).toString(16);
  return { name: name.slice(0, MAX_NAME_CHARS).toWellFormed(), offset };
}

const MAX_NAME_CHARS = 200;

function toNumber(address: string | undefined): bigint | null {
  return address !== undefined && /^0x[0-9a-f]{1,16}$/i.test(address) ? BigInt(address) : null;
}
