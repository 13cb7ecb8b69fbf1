import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A signer of packages in the format of minisign, for tests. */
export interface Signer {
  /** The text of its file `.pub`. */
  publicKey: string;
  /** The text of a file `.minisig`. */
  sign(content: Uint8Array, comment?: string): string;
}

export function createSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const number = randomBytes(8);
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const base64 = (...parts: Uint8Array[]) => Buffer.concat(parts).toString('base64');
  return {
    publicKey: `untrusted comment: a test\n${base64(Buffer.from('Ed'), number, raw)}\n`,
    sign(content, comment = 'a package') {
      const digest = createHash('blake2b512').update(content).digest();
      const signature = sign(null, digest, privateKey);
      const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey);
      const line = base64(Buffer.from('ED'), number, signature);
      return `untrusted comment: a test\n${line}\ntrusted comment: ${comment}\n${base64(whole)}\n`;
    },
  };
}
