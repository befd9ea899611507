/** An envelope on its way to the server that its DSN names. */
export interface TunnelForward {
  body: Uint8Array;
  headers: Record<string, string>;
}

/** The answer of that server. */
export interface TunnelForwardAnswer {
  status: number;
  body: string;
  retryAfterSeconds: number | null;
  rateLimits: string | null;
}
