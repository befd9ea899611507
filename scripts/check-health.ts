// For the health check of a container, which has no curl: ends with 0 if the server on HOST and PORT of this machine is up.
const port = process.env.PORT?.trim() || "3000";
const host = process.env.HOST?.trim() || "localhost";
const name = host.includes(":") ? `[${host}]` : host;
try {
  const { status } = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1;
}

export {};
