import { randomUUID } from 'node:crypto';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { z } from 'zod';
import { waitFor } from '../harness/wait.ts';

/** Approved by the test gateway. */
const CARD = { number: '4111111111111111', expire: '12/35', ccv: '123' };
const BROWSER = { language: 'en', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };

const StaysSchema = z.looseObject({ stays: z.array(z.looseObject({ key: z.string() })) });
const DueSchema = z.looseObject({ amountMinor: z.int(), dayPriceMinor: z.int().nullable() });
const PaidSchema = z.looseObject({ state: z.literal('settled') });

/** A driver's calls of the payment page. */
export class PhonePayer {
  readonly #cloudUrl: string;
  readonly #siteId: string;

  constructor({ cloudUrl, siteId }: { cloudUrl: string; siteId: string }) {
    this.#cloudUrl = cloudUrl;
    this.#siteId = siteId;
  }

  async post<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    body: object,
    token = '',
  ): Promise<z.infer<Schema>> {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const url = new URL(path, this.#cloudUrl);
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}`);
    return schema.parse(await response.json());
  }

  /** The stay of a plate, once it is known; undefined: there is none. */
  async findStay(plate: string): Promise<string | undefined> {
    return (await this.post(StaysSchema, PAY_PATHS.find, { siteCode: this.#siteId, plate })).stays[0]?.key;
  }

  /** Pays for a day of a stay and agrees that the card is stored, or pays what is due. @returns the payment's key */
  async pay(plate: string, what: 'day-and-store-card' | 'due'): Promise<string> {
    const stay = await waitFor(() => this.findStay(plate), { what: `the stay of ${plate}` });
    const { amountMinor, dayPriceMinor } = await this.post(DueSchema, PAY_PATHS.due, { stay });
    const payment = randomUUID();
    const order =
      what === 'due' ? { amountMinor } : { amountMinor: dayPriceMinor, quantity: 1, storeCard: true };
    await this.post(z.unknown(), PAY_PATHS.order, {
      payment,
      stay,
      language: 'en',
      ...order,
      browser: BROWSER,
      card: CARD,
    });
    await this.post(PaidSchema, PAY_PATHS.finish, { payment, card: CARD });
    return payment;
  }
}
