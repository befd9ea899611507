/** Links of messages by which people act without signing in. */
export interface ActLinkStore {
  /** What signs them: 32 bytes in base64url, made at the first call and then always the same. */
  getKey(): Promise<string>;
  isUsed(hash: string): Promise<boolean>;
  /** False: it was used before. Remembered until `expiresAt`. */
  use(link: { hash: string; expiresAt: number; now: number }): Promise<boolean>;
}
