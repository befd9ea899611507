/** An envelope on its way to the server that its DSN names. */
export interface TunnelForward {
  body: Uint8Array;
  headers: Record<string, string>;
}

/** What that server answered. */
export interface TunnelForwardAnswer {
  status: number;
  body: string;
  retryAfterSeconds: number | null;
  rateLimits: string | null;
}
