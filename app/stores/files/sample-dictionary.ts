import { MIB } from "../../domain/bytes.ts";

/** 256 KB bring an event of 9.7 KB that is compressed alone from 2,180 bytes to 530, in 0.6 ms; 112 KB to 1,030 in 0.3 ms. */
const DICTIONARY_BYTES = 256 * 1024;

/** The first one is made as soon as there is anything to it. */
const FIRST_DICTIONARY_BYTES = 64 * 1024;

/** About 800 events: a dictionary of 30 KB (compressed) then costs each of them 40 bytes. */
const RENEW_AFTER_BYTES = 8 * MIB;

const MAX_SAMPLE_BYTES = 64 * 1024;

/**
 * Payloads out of those that came lately, to compress the next ones against: what small blocks have in common with each
 * other lies there once. New samples take the place of random old ones, so that rare kinds keep a chance.
 */
export class SampleDictionary {
  readonly #random: () => number;
  readonly #samples: Uint8Array[] = [];
  #sampleBytes = 0;
  #bytesSinceTaken = 0;
  #takenBytes = 0;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  add(payload: Uint8Array): void {
    this.#bytesSinceTaken += payload.length;
    if (payload.length === 0 || payload.length > MAX_SAMPLE_BYTES) return;
    while (this.#sampleBytes + payload.length > DICTIONARY_BYTES) {
      const [removed] = this.#samples.splice(Math.floor(this.#random() * this.#samples.length), 1);
      this.#sampleBytes -= removed?.length ?? 0;
    }
    // A copy: the payload is often a view of a batch that would be kept in memory with it.
    this.#samples.push(Uint8Array.from(payload));
    this.#sampleBytes += payload.length;
  }

  /** Whether a new dictionary would be worth its place. */
  get isDue(): boolean {
    if (this.#takenBytes === 0) return this.#sampleBytes >= FIRST_DICTIONARY_BYTES;
    // A dictionary that is not full yet is renewed sooner.
    return this.#bytesSinceTaken >= RENEW_AFTER_BYTES * Math.min(1, this.#takenBytes / DICTIONARY_BYTES) ** 2;
  }

  /** The newest last: compression finds near matches cheaper than far ones. */
  bytes(): Uint8Array {
    return Buffer.concat(this.#samples);
  }

  /** Once it is stored. */
  markTaken(): void {
    this.#takenBytes = this.#sampleBytes;
    this.#bytesSinceTaken = 0;
  }
}
