// Becomes the server: `node scripts/start.ts [module, instead of server.ts]`. The switches cannot be set from within: V8, glibc
// and DuckDB read them when a process begins. Decision 001 has the measurements.

/** For V8, and what is loaded before the server. */
export const START_ARGS: readonly string[] = [
  // MB, half of V8's default. The young generation of each thread takes up to three times as much.
  "--max-semi-space-size=8",
  // MB, far more than is live. Under a larger limit V8 collects when garbage is three times what is live, here when it is as much.
  "--max-old-space-size=1024",
  "--import",
  "./instrument.server.ts",
];

export const START_ENV: Readonly<Record<string, string>> = {
  // React and React Router have a faster and smaller build for it.
  NODE_ENV: "production",
  // Compiled code is kept beside the build: the next start takes a third of the time and 30 MB less.
  NODE_COMPILE_CACHE: "build/compile-cache",
  // glibc otherwise gives each of a dozen threads an arena, and each keeps what was freed in it.
  MALLOC_ARENA_MAX: "2",
  // Their own defaults, in bytes. Set, glibc does not raise them, and gives large buffers back to the system.
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "131072",
  // DuckDB's allocator otherwise keeps freed memory for ten seconds, for each core.
  DUCKDB_JE_MALLOC_CONF: "narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0",
  // DuckDB can hold all four of the threads that Node starts with. The journal's writes, and so every answer, would wait.
  UV_THREADPOOL_SIZE: "8",
};

if (import.meta.main) {
  const [module = "server.ts"] = process.argv.slice(2);
  // The server takes the place of this process: signals and the exit code are its own, and no parent keeps 45 MB.
  process.execve?.(process.execPath, [process.execPath, ...START_ARGS, module], { ...process.env, ...START_ENV });
}
