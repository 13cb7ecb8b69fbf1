import { createDecipheriv, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto';
import { z } from 'zod';
import { type Answer, badRequest, VERIFONE_ACCOUNT } from './verifone-gateway-answers.ts';
import type { SimToken } from './verifone-gateway-books.ts';
import { CapturedCard } from './verifone-gateway-requests.ts';

const ENCRYPTED_CARD_MS = 15 * 60_000;

/** Generated once for a process: it takes a while. */
let keys: { publicKey: KeyObject; privateKey: KeyObject } | undefined;

const Encrypted = z.strictObject({ key: z.base64(), iv: z.base64(), data: z.base64() });

/** The Secure Card Capture Key: reads what the browser has encrypted, and stored cards by their tokens. */
export class CardReader {
  readonly publicKey: string;
  /** How far its clock is ahead. */
  skewMs = 0;
  readonly #privateKey: KeyObject;
  readonly #tokens: () => readonly SimToken[];

  constructor(tokens: () => readonly SimToken[]) {
    keys ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.publicKey = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    this.#privateKey = keys.privateKey;
    this.#tokens = tokens;
  }

  /** The card as the browser has captured it; an answer: it cannot be used. */
  numberOf(body: {
    encrypted_card?: string | undefined;
    public_key_alias?: string | undefined;
    reuse_token?: string | undefined;
  }): string | Answer {
    if (body.reuse_token !== undefined) {
      const stored = this.#tokens().find(({ token }) => token === body.reuse_token);
      return stored?.number ?? badRequest(['reuse_token']);
    }
    if (body.public_key_alias !== VERIFONE_ACCOUNT.publicKeyAlias) return badRequest(['public_key_alias']);
    const card = this.#decrypt(body.encrypted_card ?? '');
    if (!card) return badRequest(['encrypted_card']);
    const ageMs = Date.now() + this.skewMs - Date.parse(card.captureTime);
    return ageMs > ENCRYPTED_CARD_MS || ageMs < -60_000 ? badRequest(['encrypted_card']) : card.cardNumber;
  }

  #decrypt(text: string): z.infer<typeof CapturedCard> | null {
    try {
      const { key, iv, data } = Encrypted.parse(JSON.parse(Buffer.from(text, 'base64').toString()));
      const inner = privateDecrypt({ key: this.#privateKey, oaepHash: 'sha256' }, Buffer.from(key, 'base64'));
      const bytes = Buffer.from(data, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', inner, Buffer.from(iv, 'base64'));
      decipher.setAuthTag(bytes.subarray(-16));
      const plain = Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]);
      return CapturedCard.parse(JSON.parse(plain.toString()));
    } catch {
      return null;
    }
  }
}
