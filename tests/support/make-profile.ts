/** An envelope with a chunk of a profiler: `work` called `wait` for some time, and a second thread idled. */
export function makeProfileEnvelope(profilerId: string, name = "work"): string {
  const now = Date.now() / 1000;
  const samples = Array.from({ length: 20 }, (_, at) => ({
    ...{ timestamp: now + at / 100, thread_id: String(at % 2), stack_id: at % 4 === 0 ? 0 : 1 },
  }));
  const chunk = JSON.stringify({
    ...{ version: "2", chunk_id: crypto.randomUUID().replaceAll("-", ""), profiler_id: profilerId, platform: "python" },
    ...{ release: "shop@1", environment: "production" },
    profile: {
      frames: [
        { function: name, filename: `shop/${"very-long-folder/".repeat(9)}work.py`, lineno: 3, in_app: true },
        { function: "wait", module: "threading", in_app: false },
      ],
      stacks: [[0], [1, 0]],
      samples,
      thread_metadata: { 0: { name: "MainThread" }, 1: { name: "pool" } },
    },
  });
  return `{}\n${JSON.stringify({ type: "profile_chunk", platform: "python", length: Buffer.byteLength(chunk) })}\n${chunk}\n`;
}
