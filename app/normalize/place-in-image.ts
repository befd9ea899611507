import type { Frame } from "../domain/event.ts";
import type { JsonObject } from "./json-object.ts";

/** How to read the frames of an event. */
export interface CodeContext {
  platform: string;
  /** Finds the image of a frame of machine code, if the client left that to the server. */
  placeInImage(frame: JsonObject & Frame): void;
}

export function createCodeContext(platform: string, images: readonly JsonObject[] | undefined): CodeContext {
  if (images === undefined || images.length === 0) return { platform, placeInImage: () => {} };
  let spans: Span[] | null = null;
  return {
    platform,
    placeInImage: (frame) => {
      if (frame.package !== undefined && frame.image_addr !== undefined) return;
      if (typeof frame.instruction_addr !== "string") return;
      spans ??= toSpans(images);
      const image = findImage(frame, images, spans);
      if (image === null) return;
      const file = image.code_file ?? image.debug_file;
      if (frame.package === undefined && typeof file === "string" && file !== "") frame.package = file;
      if (typeof image.image_addr === "string") frame.image_addr ??= image.image_addr;
    },
  };
}

/** Addresses from `start` to below `end`. */
interface Span {
  start: number;
  end: number;
  image: JsonObject;
}

/** The images in the order of their starts. An image without a size ends where the next begins. */
function toSpans(images: readonly JsonObject[]): Span[] {
  const spans: Span[] = [];
  for (const image of images) {
    const start = toNumber(image.image_addr);
    if (start === null) continue;
    const size = image.image_size;
    spans.push({ start, end: typeof size === "number" && size > 0 ? start + size : Number.POSITIVE_INFINITY, image });
  }
  spans.sort((a, b) => a.start - b.start);
  return spans;
}

function findImage(frame: Frame, images: readonly JsonObject[], spans: readonly Span[]): JsonObject | null {
  const relative = /^rel:(\d{1,6})$/.exec(frame.addr_mode ?? "");
  if (relative !== null) return images[Number(relative[1])] ?? null;
  const address = toNumber(frame.instruction_addr);
  if (address === null) return null;
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.start ?? 0) <= address) low = middle + 1;
    else high = middle;
  }
  const span = spans[low - 1];
  return span === undefined || address >= span.end ? null : span.image;
}

/** Addresses have at most 64 bits; those of user space have 48, which a number holds exactly. */
function toNumber(address: unknown): number | null {
  return typeof address === "string" && /^0x[0-9a-f]{1,16}$/i.test(address) ? Number(address) : null;
}
