/** Links of messages by which people act without signing in. */
export interface ActLinkStore {
  /** The key that signs links: 32 bytes in base64url, made at the first call and the same afterwards. */
  getKey(): Promise<string>;
  isUsed(hash: string): Promise<boolean>;
  /** False: it was used before. Remembered until `expiresAt`. */
  use(link: { hash: string; expiresAt: number; now: number }): Promise<boolean>;
}
