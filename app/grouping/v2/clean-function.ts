import { createBoundedCache } from "../v1/bounded-cache.ts";
import { cleanFunction as cleanFunctionV1 } from "../v1/clean-names.ts";
import type { PlatformFamily } from "../v1/platform-family.ts";

/** As version 1 has it, without the hashes that Microsoft's compiler gives lambdas and anonymous namespaces in each build. */
export function cleanFunction(raw: string, family: PlatformFamily): string | null {
  return family === "native" ? cleanNative(raw) : cleanFunctionV1(raw, family);
}

const cleanNative = createBoundedCache((raw) => {
  const name = raw.includes("<lambda_") || raw.includes("A0x") ? withoutBuildHashes(raw) : raw;
  return cleanFunctionV1(name, "native");
});

/** `<lambda_5db8…>::operator()` and `?A0xc3a0617d::read`, as `undname` and `dbghelp` write them. */
function withoutBuildHashes(name: string): string {
  return name
    .replace(/<lambda_(?:[0-9a-f]{16,64}|\d{1,10})>/g, "lambda")
    .replace(/`?\??A0x[0-9a-f]{8}'?(?=::)/g, "`anonymous namespace'");
}
