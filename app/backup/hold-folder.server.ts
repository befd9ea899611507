import { ConnectionEndedError, type Message } from "../control/message-lines.ts";
import { type ReachedFolder, throwRefusal } from "../control/reach-server.server.ts";

/** The longest time that the digest waits. */
export const SNAPSHOT_WITHIN_MS = 5_000;
/** A copy of ten million events takes some ten seconds on a quick disk. Rows that come meanwhile are in memory and in the log. */
export const COPY_WITHIN_MS = 15 * 60_000;
const READY_WITHIN_MS = 120_000;

/** A data folder whose event database may be copied until `release`. */
export interface HeldFolder {
  /** @throws when the files have been rewritten meanwhile: the copy is worth nothing. */
  release(): Promise<void>;
}

/**
 * Calls `snapshot` at a moment in which no store commits records of the journal, so that the stores fit together as after a crash. The
 * folder of a stopped server does not change anyway.
 */
export async function holdFolder(reached: ReachedFolder, snapshot: () => Promise<void>): Promise<HeldFolder> {
  if (!reached.isRunning) {
    await snapshot();
    return { release: async () => {} };
  }
  const { lines } = reached.server;
  const receive = (withinMs: number) =>
    lines.receive(withinMs).catch((error: unknown) => {
      throw error instanceof ConnectionEndedError ? new Error("the server has stopped meanwhile: try again") : error;
    });
  lines.send({ command: "hold" });
  expectStep(await receive(READY_WITHIN_MS), "held");
  await snapshot();
  lines.send({ step: "snapshot-taken" });
  expectStep(await receive(SNAPSHOT_WITHIN_MS), "goes-on");
  return {
    async release() {
      lines.send({ step: "copied" });
      throwRefusal(await receive(SNAPSHOT_WITHIN_MS));
    },
  };
}

/** @throws the error that the other side sent, or an error if it sent another step. */
export function expectStep(message: Message, step: string): void {
  throwRefusal(message);
  if (message.step !== step) throw new Error(`expected "${step}", and the other side said ${JSON.stringify(message)}`);
}
