/** `812 bytes`, `4.2 KB`, `13 MB`: powers of 1024, as far as a reader can tell sizes apart. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  let value = bytes;
  let unit = "bytes";
  for (unit of ["KB", "MB", "GB"]) {
    value /= 1024;
    if (value < 1024) break;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
