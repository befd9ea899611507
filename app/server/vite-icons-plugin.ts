import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

export const ICON_FILE = /\/lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/;
export const DRAWING_FILE = /\/createLucideIcon\.mjs$/;
const DRAW_ICON = fileURLToPath(new URL("../ui/draw-icon.tsx", import.meta.url));

/**
 * Makes the icons of a build small. The shapes are the library's; `ui/draw-icon.tsx` draws them, on the server and in
 * browsers. React keys go: each is random text, which does not compress, and the parts of an icon never change places.
 */
export function iconsPlugin(): Plugin {
  return {
    name: "culprit-icons",
    apply: "build",
    enforce: "pre",
    resolveId: {
      filter: { id: DRAWING_FILE },
      handler: (_, importer) => (importer && ICON_FILE.test(importer) ? DRAW_ICON : null),
    },
    transform: {
      filter: { id: ICON_FILE },
      handler: (code) => ({ code: withoutKeys(code), map: null }),
    },
  };
}

export function withoutKeys(code: string): string {
  return code.replace(/,\s*key: "\w+"/g, "");
}
