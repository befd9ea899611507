import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

export const ICON_FILE = /\/lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/;
const DRAW_ICON = fileURLToPath(new URL("../ui/draw-icon.tsx", import.meta.url));

/**
 * Makes the icons of a build small. The library has the shapes, and `ui/draw-icon.tsx` draws them, on the server and in browsers. Of an
 * icon's file only the name and the shape stay: its size is always 24, and its other names and the export of its data are not used. React
 * keys are removed: each is random text, which does not compress, and the parts of an icon never change places.
 */
export function iconsPlugin(): Plugin {
  return {
    name: "culprit-icons",
    apply: "build",
    enforce: "pre",
    transform: {
      // The list of all icons lies beside them.
      filter: { id: ICON_FILE, code: "createLucideIcon" },
      handler: (code, id) => ({ code: toLeanIcon(code, id), map: null }),
    },
  };
}

/** Throws if the library writes its icons in another form than today's. */
export function toLeanIcon(code: string, id: string): string {
  const [, name, node] =
    /name: ("[^"]+"),\s*size: 24,\s*node: (\[.*?\])(?:,\s*aliases: \[[^\]]*\])?\s*\};/s.exec(code) ?? [];
  if (!name || !node) throw new Error(`${id} has another form than the icons of the version known here`);
  return [
    `import drawIcon from ${JSON.stringify(DRAW_ICON)};`,
    `export default /* @__PURE__ */ drawIcon(${name}, ${node.replace(/,\s*key: "\w+"/g, "")});`,
  ].join("\n");
}
