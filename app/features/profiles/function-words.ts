import type { ProfileFunction } from "../../domain/profiles/merge-stacks.ts";

/** Like `shop/cart.py:12`, or the module or library if no file is known. */
export function sayPlace({ file, module, line }: Pick<ProfileFunction, "file" | "module" | "line">): string {
  const place = file ?? module ?? "";
  return line === null || place === "" ? place : `${place}:${line}`;
}

/** Like `34 %`. */
export function sayShare(us: number, ofUs: number): string {
  if (ofUs <= 0) return "0 %";
  const percent = (us / ofUs) * 100;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent.toLocaleString("en", { maximumFractionDigits: percent < 10 ? 1 : 0 })} %`;
}
