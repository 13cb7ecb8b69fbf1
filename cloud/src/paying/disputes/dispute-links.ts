import { nowUtc } from '@hlid/node/clock';
import { DAY_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { ServerSecret } from '../../platform/http/server-secret.ts';
import { seal, unseal } from '../../platform/seal.ts';

/** A link ends by itself so long after it was made. */
const LINK_MS = 120 * DAY_MS;
const SEAL = 'dispute link';
/** Seconds since 1970 until it expires, and the dispute. */
const CLAIM_BYTES = 4 + 16;

export interface DisputeLink {
  url: string;
  /** What the page sends: the part of the address behind `#`. */
  key: string;
  expiresOn: UtcTime;
}

/**
 * Links to one dispute on the payment page, for the person who contests: `/pay/objection#{key}`. A key is a sealed claim, as in
 * a pay link: nothing is stored for it, and it shows no other dispute.
 */
export class DisputeLinks {
  readonly #context: Pick<CloudContext, 'clock' | 'publicUrl'>;
  readonly #secret: ServerSecret;

  constructor(context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl'>) {
    this.#context = context;
    this.#secret = new ServerSecret(context, 'pay-page');
  }

  /** Links can be made within a transaction from here on: it need not wait for the one that stores the secret. */
  async prepare(): Promise<void> {
    await this.#secret.get();
  }

  async of(disputeId: string, language: Language): Promise<DisputeLink> {
    const expires = Math.ceil((millis(nowUtc(this.#context.clock)) + LINK_MS) / 1000);
    const claim = Buffer.alloc(CLAIM_BYTES);
    claim.writeUInt32BE(expires, 0);
    claim.write(disputeId.replaceAll('-', ''), 4, 'hex');
    const key = seal(await this.#secret.get(), SEAL, claim);
    const url = `${this.#context.publicUrl()}${PAY_PATHS.objectionPage}?lang=${language}#${key}`;
    return { url, key, expiresOn: utcTime(expires * 1000) };
  }

  /** The dispute of a key; null: we have not made it, or it has expired. */
  async read(key: string): Promise<string | null> {
    const claim = unseal(await this.#secret.get(), SEAL, key);
    if (claim?.length !== CLAIM_BYTES) return null;
    if (claim.readUInt32BE(0) * 1000 <= millis(nowUtc(this.#context.clock))) return null;
    return claim.toString('hex', 4).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}
