import { isJavaPlatform } from "../../domain/in-app.ts";
import { collectStacks, type FoundStack, type SymbolicationEvent } from "../collect-frames.ts";

/** The stack traces of an event that have frames of Java and Kotlin alone. */
export function collectJavaStacks(event: SymbolicationEvent): FoundStack[] {
  return collectStacks(event).filter(
    ({ raw: { frames } }) =>
      frames.every(({ platform }) => isJavaPlatform(platform ?? event.platform)) &&
      frames.some(({ module }) => module !== undefined),
  );
}
