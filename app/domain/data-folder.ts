/**
 * The data folder cannot be used as it is: a store is lost, or belongs to another folder. The message is for an operator: it
 * names the file and the choices.
 */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
}

const CHOICES = "Put it back, or the whole folder from a backup, or start in a new folder (DATA_DIR)";

/** The empty file with which an operator accepts that a store is lost. */
export function acceptedLossPath(path: string): string {
  return `${path}.accept-loss`;
}

/**
 * @param path path of the store
 * @param how words like `is missing`
 * @param loss what is gone with it, after "lose"; null: going on without it would mix up what is left
 */
export function lostStore(path: string, how: string, loss: string | null): DataFolderError {
  const goOn = loss === null ? "" : `. To go on without it and lose ${loss}: touch ${acceptedLossPath(path)}`;
  return new DataFolderError(`${path} ${how}. ${CHOICES}${goOn}`);
}

/** @param reason in the words of the operating system, like `EROFS: read-only file system, mkdir '/data'` */
export function unusableFolder(folder: string, reason: string): DataFolderError {
  return new DataFolderError(
    `the data folder ${folder} cannot be written: ${reason}. Mount it for writing, let the user that runs Culprit write there, ` +
      "or set DATA_DIR to another folder",
  );
}

/** The folder for a backup or a restore cannot be used. The operator can name another one; `DATA_DIR` is not involved. */
export function unusableTarget(folder: string, reason: string): Error {
  return new Error(`${folder} cannot be written: ${reason}. Name a folder that this user may write`);
}

/** @param of the file; `user` is null where the system has no users' numbers */
export function unreachableFile(
  folder: string,
  path: string,
  of: { code: string; owner: number; user: number | null },
): DataFolderError {
  const isOthers = of.user !== null && of.owner !== of.user;
  const whose = isOthers ? `: it belongs to the user ${of.owner}, and Culprit runs as ${of.user}` : "";
  const remedy = isOthers
    ? `Give the folder to that user: chown -R ${of.user} ${folder}`
    : "Allow it to its owner (chmod)";
  return new DataFolderError(`${path} cannot be read and written (${of.code})${whose}. ${remedy}`);
}

/** @param stateId null: the state database is of a version that knows no ids */
export function foreignStore(path: string, id: string, state: { path: string; id: string | null }): DataFolderError {
  const stateBelongs = state.id === null ? "carries no id" : `to data folder ${state.id}`;
  return new DataFolderError(
    `${path} belongs to data folder ${id}, and ${state.path} ${stateBelongs}. ` +
      "Put the one that belongs here in its place, or the whole folder from a backup, or start in a new folder (DATA_DIR)",
  );
}
