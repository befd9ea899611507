import { DataFolderInUseError } from "../data-folder/lock-data-folder.server.ts";

/** A sentence for the operator about a failed start that the operator can fix. Null: the error is a bug, and its stack is needed. */
export function explainStartFailure(error: unknown, at: { port: number; host: string | null }): string | null {
  if (error instanceof DataFolderInUseError) return error.message;
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // A file may be refused, too, and has nothing to do with the address.
  if (syscall !== "listen" && syscall !== "getaddrinfo") return null;
  if (code === "EADDRINUSE") return `another process listens on port ${at.port}: stop it, or set PORT to another one`;
  if (code === "EACCES")
    return `this user may not listen on port ${at.port}: set PORT to one from 1024 on, and put a proxy in front`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `this machine has no address ${at.host}: set HOST to one that it has, or leave it out for all`;
  return null;
}
