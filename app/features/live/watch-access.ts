import { SECOND_MS } from "../../domain/time.ts";

/** A look takes 0.02 ms, and one person has at most 58 streams. */
const LOOK_EVERY_MS = 3 * SECOND_MS;

/**
 * Calls `end` once the person of a workspace may see other things than when the workspace was opened. A stream must not go on then: the
 * browser connects again, with the rights of that moment, or is refused. Gives the function that ends this.
 */
export function watchAccess({ hasSameAccess }: { hasSameAccess(): Promise<boolean> }, end: () => void): () => void {
  const timer = setInterval(() => {
    hasSameAccess().then((isSame) => {
      if (!isSame) end();
    }, end);
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
