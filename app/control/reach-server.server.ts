import { existsSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { DataFolderInUseError, lockDataFolder, lockPath } from "../data-folder/lock-data-folder.server.ts";
import { requireData } from "../data-folder/require-data.server.ts";
import { requireFolder } from "../data-folder/require-folder.server.ts";
import { withSocketPath } from "./control-path.server.ts";
import { type Message, MessageLines } from "./message-lines.ts";

/** A server that starts has the lock a moment before its socket; one that stops, a moment after. */
const REACH_WITHIN_MS = 15_000;
const RETRY_MS = 100;

/** A data folder as a command finds it: a server runs on it, or it is ours until `unlock`. */
export type ReachedFolder = { isRunning: true; server: ReachedServer } | { isRunning: false; unlock(): void };

export interface ReachedServer {
  readonly lines: MessageLines;
  /** Sends the request and gives the answer. @throws what the server says went wrong. */
  ask(request: Message, withinMs: number): Promise<Message>;
  close(): void;
}

/**
 * Reaches the server that runs on the folder, or locks the folder when none does.
 *
 * @throws when the folder is missing, holds no data, or a process has the lock and does not answer.
 */
export async function reachServer(dataDir: string): Promise<ReachedFolder> {
  requireFolder(dataDir, "set DATA_DIR");
  // A server that starts for the first time has the lock before it has data.
  if (!existsSync(lockPath(dataDir))) requireData(dataDir);
  const giveUpAt = performance.now() + REACH_WITHIN_MS;
  for (;;) {
    const server = await connectTo(dataDir);
    if (server) return { isRunning: true, server };
    try {
      return { isRunning: false, unlock: lockDataFolder(dataDir).unlock };
    } catch (error) {
      if (!(error instanceof DataFolderInUseError)) throw error;
      if (performance.now() >= giveUpAt)
        throw new Error(`a process uses ${dataDir} and does not take commands: is it an older version of Culprit?`);
    }
    await sleep(RETRY_MS);
  }
}

/** Null when nobody listens. */
function connectTo(dataDir: string): Promise<ReachedServer | null> {
  return new Promise((resolve, reject) => {
    const socket = withSocketPath(dataDir, (path) => connect(path));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(null);
      else reject(new Error(`the server on ${dataDir} cannot be reached: ${error.message}`));
    });
    socket.once("connect", () => {
      const lines = new MessageLines(socket);
      resolve({
        lines,
        async ask(request, withinMs) {
          lines.send(request);
          return throwRefusal(await lines.receive(withinMs));
        },
        close: () => socket.destroy(),
      });
    });
  });
}

/** @throws the message of an answer that is no. */
export function throwRefusal(answer: Message): Message {
  if (answer.ok === false) throw new Error(String(answer.message));
  return answer;
}
