import { nowUtc } from '@hlid/node/clock';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import type { PayLink } from '@hlid/protocol/site-link/edge-api';
import type { CloudContext } from '../../../platform/http/cloud-env.ts';
import { ServerSecret } from '../../../platform/http/server-secret.ts';
import { seal, unseal } from '../../../platform/seal.ts';

/**
 * `sent`: to the driver or the holder of the vehicle, in a mail or a letter. `shown`: at a kiosk, to a person who may see
 * the stay and pay for it, but has not proved that the car is theirs.
 */
type StayLinkPurpose = 'sent' | 'shown';

/** The object of a pay link: a stay, or an invoice in the mail or on the paper that contains the link. */
export type PayLinkClaim = StayLinkClaim | { purpose: 'invoice'; invoiceId: string };

interface StayLinkClaim {
  visitId: string;
  purpose: StayLinkPurpose;
  /** How many of the plate's first characters the link shows; null: all. */
  plateCharacters: number | null;
}

/** A letter is paid late. */
const SENT_MS = 60 * DAY_MS;
/** A driver pays now; the page that the link opens has its own key. */
const SHOWN_MS = HOUR_MS;

/** An invoice is paid late too, after reminders that repeat its link. */
const INVOICE_MS = 400 * DAY_MS;

const PURPOSES: readonly PayLinkClaim['purpose'][] = ['sent', 'shown', 'invoice'];
const ALL_CHARACTERS = 0xff;
const SEAL = 'pay link';
/** Purpose, characters of the plate, seconds since 1970 until it expires, visit or invoice. */
const CLAIM_BYTES = 1 + 1 + 4 + 16;

/**
 * Links to one stay, or one invoice, on the payment page: `/pay#{link}`, ADR 19. A link is a sealed claim in 51 characters, so
 * that its QR code stays coarse enough for any camera. It reveals neither plate nor visit, and nothing is
 * stored for it.
 */
export class PayLinks {
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

  /** A link for a mail or a letter. */
  async sent(visitId: string, language?: Language): Promise<PayLink> {
    return await this.#create({ visitId, purpose: 'sent', plateCharacters: null }, SENT_MS, language);
  }

  /** A link for the screen of a kiosk. */
  async shown(visitId: string, plateCharacters: number, language?: Language): Promise<PayLink> {
    return await this.#create({ visitId, purpose: 'shown', plateCharacters }, SHOWN_MS, language);
  }

  /** A link to pay an invoice that was issued, for its mail and its document. */
  async ofInvoice(invoiceId: string, language?: Language): Promise<PayLink> {
    return await this.#create({ invoiceId, purpose: 'invoice' }, INVOICE_MS, language);
  }

  /** Null: we have not made it, or it has expired. */
  async read(link: string): Promise<PayLinkClaim | null> {
    const claim = unseal(await this.#secret.get(), SEAL, link);
    if (claim?.length !== CLAIM_BYTES) return null;
    const purpose = PURPOSES[claim.readUInt8(0)];
    const characters = claim.readUInt8(1);
    const expires = claim.readUInt32BE(2) * 1000;
    if (purpose === undefined || expires <= millis(this.#now())) return null;
    const id = claim.toString('hex', 6).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    if (purpose === 'invoice') return { purpose, invoiceId: id };
    return { visitId: id, purpose, plateCharacters: characters === ALL_CHARACTERS ? null : characters };
  }

  async #create(given: PayLinkClaim, lifeMs: number, language: Language | undefined): Promise<PayLink> {
    const expires = Math.ceil((millis(this.#now()) + lifeMs) / 1000);
    const claim = Buffer.alloc(CLAIM_BYTES);
    const { id, plateCharacters } =
      given.purpose === 'invoice'
        ? { id: given.invoiceId, plateCharacters: null }
        : { id: given.visitId, plateCharacters: given.plateCharacters };
    claim.writeUInt8(PURPOSES.indexOf(given.purpose), 0);
    claim.writeUInt8(plateCharacters ?? ALL_CHARACTERS, 1);
    claim.writeUInt32BE(expires, 2);
    claim.write(id.replaceAll('-', ''), 6, 'hex');
    const link = seal(await this.#secret.get(), SEAL, claim);
    const query = language === undefined ? '' : `?lang=${language}`;
    const url = `${this.#context.publicUrl()}${PAY_PATHS.page}${query}#${link}`;
    return { url, expiresOn: utcTime(expires * 1000) };
  }

  #now(): UtcTime {
    return nowUtc(this.#context.clock);
  }
}
