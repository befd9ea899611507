import { type ComponentProps, createElement } from "react";

const ATTRIBUTES = {
  xmlns: "http://www.w3.org/2000/svg",
  width: 24,
  height: 24,
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  "aria-hidden": true,
} as const;

/** The elements of an icon in a square of 24, as `lucide-react` describes them. */
export type IconShape = ReadonlyArray<readonly [element: string, attributes: Record<string, string>]>;

/**
 * Makes the component of an icon. In a build it replaces the library's own function (`iconsPlugin`), which does much that no page needs and
 * for which every page would have to wait.
 */
export default function drawIcon(name: string, node: IconShape) {
  const shape = node.map(([element, attributes]) => createElement(element, attributes));
  return ({ className = "", ...props }: ComponentProps<"svg">) =>
    createElement("svg", { ...ATTRIBUTES, className: `lucide lucide-${name} ${className}`, ...props }, ...shape);
}
