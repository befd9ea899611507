/** The first descriptor after standard input, output and error. Source: sd_listen_fds(3). */
const FIRST_SOCKET = 3;

/**
 * Descriptor of the socket on which systemd listens for this process (`deploy/culprit.socket`). It stays open between two servers, so that
 * no client is refused. Null when there is none.
 *
 * @throws when there is more than one
 */
export function findInheritedSocket(env: Readonly<Record<string, string | undefined>>, pid: number): number | null {
  // A process inherits the variables of its parent, too; they are for the one that they name.
  if (env.LISTEN_PID !== String(pid)) return null;
  if (env.LISTEN_FDS !== "1")
    throw new Error(`one socket is expected from systemd, and LISTEN_FDS is ${env.LISTEN_FDS}`);
  return FIRST_SOCKET;
}
