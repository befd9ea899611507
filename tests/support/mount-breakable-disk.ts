import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

/** A disk of its own that can become read-only while files on it are open, as Linux does when a disk fails. */
export interface BreakableDisk extends Disposable {
  dir: string;
  makeReadOnly(): void;
}

/** Null where this takes rights or a kernel that the machine does not have. */
export function mountBreakableDisk(megabytes: number): BreakableDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "culprit-breakable-"));
  const image = join(folder, "image");
  const dir = mkdtempSync(join(tmpdir(), "culprit-breakable-disk-"));
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" }).trim();
  const tidy = () => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(dir, { recursive: true, force: true });
  };
  let isMounted = false;
  try {
    run("truncate", "-s", `${megabytes}M`, image);
    run("mkfs.ext4", "-q", "-F", image);
    run("mount", "-o", "loop,errors=remount-ro", image, dir);
    isMounted = true;
    const device = basename(run("findmnt", "-n", "-o", "SOURCE", dir));
    const trigger = `/sys/fs/ext4/${device}/trigger_fs_error`;
    // Opened without a write: whether it may be written.
    execFileSync("test", ["-w", trigger]);
    return {
      dir,
      makeReadOnly: () => writeFileSync(trigger, "the disk broke (a test)"),
      [Symbol.dispose]() {
        run("umount", "-l", dir);
        tidy();
      },
    };
  } catch {
    if (isMounted) run("umount", "-l", dir);
    tidy();
    return null;
  }
}
