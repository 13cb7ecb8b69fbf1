import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/**
 * The key that proves who made a backup: the one for which it is encrypted. It is on the machine and in the
 * key file, and nowhere in the place of the backups. Neither the manifest nor the encrypted entries name it
 * (X25519 of age does not show its recipient). So write access to that place does not suffice to make a
 * manifest or an entry that a restore accepts.
 */
export interface ProofKey {
  /** Names the key in a proof, and shows nothing of it. */
  id: string;
  macKey: Buffer;
}

/**
 * A proof for each key for which a backup is encrypted. It is stored beside the manifest, because it is
 * computed over that file's bytes.
 */
const ProofSchema = z.object({
  proofs: z
    .array(z.object({ key: z.string().max(64), mac: z.string().regex(/^[0-9a-f]{64}$/) }))
    .min(1)
    .max(10),
});

export const MAX_PROOF_BYTES = 16 * 1024;

/** @param publicKey `age1…` */
export function proofKeyOf(publicKey: string): ProofKey {
  const [macKey, idKey] = ['manifest', 'name'].map((use) =>
    Buffer.from(hkdfSync('sha256', publicKey, '', `hlid backup: ${use}`, 32)),
  );
  if (macKey === undefined || idKey === undefined) throw new RangeError('two keys were derived');
  return { id: idKey.toString('hex', 0, 8), macKey };
}

/** The text of a proof, for the bytes of a manifest as they are stored. */
export function writeProof(keys: readonly ProofKey[], manifest: Uint8Array): string {
  const proofs = keys.map(({ id, macKey }) => ({ key: id, mac: macOf(macKey, manifest).toString('hex') }));
  return `${JSON.stringify({ proofs }, null, 2)}\n`;
}

/** Whether one of these keys proves a manifest. A text that is no proof proves nothing. */
export function isProved(keys: readonly ProofKey[], manifest: Uint8Array, proof: string): boolean {
  let given: unknown;
  try {
    given = JSON.parse(proof);
  } catch {
    return false;
  }
  const proofs = ProofSchema.safeParse(given).data?.proofs ?? [];
  return keys.some(({ id, macKey }) =>
    proofs.some(
      ({ key, mac }) => key === id && timingSafeEqual(Buffer.from(mac, 'hex'), macOf(macKey, manifest)),
    ),
  );
}

function macOf(macKey: Buffer, manifest: Uint8Array): Buffer {
  return createHmac('sha256', macKey).update(manifest).digest();
}
