import { randomUUID } from 'node:crypto';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { z } from 'zod';
import { waitFor } from '../harness/wait.ts';
import type { DemoMail } from './demo-mail.ts';

/** The fictitious driver of the demo with a card that pays at the exit. */
export const CARD_DRIVER = 'driver@hlid.example';

const CAPS = { currency: 'ISK', stayMinor: 5000, dayMinor: 100_000 };
/** Approved by the test gateway. */
const CARD = { number: '4111111111111111', expire: '12/35', ccv: '123' };
const BROWSER = { language: 'en', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };

const StaysSchema = z.looseObject({ stays: z.array(z.looseObject({ key: z.string() })) });
const DueSchema = z.looseObject({ dayPriceMinor: z.int().nullable() });
const PaidSchema = z.looseObject({ state: z.literal('settled') });
const SessionSchema = z.looseObject({ token: z.string() });
const DriverSchema = z.looseObject({ card: z.looseObject({}) });

interface CardPlan {
  cloudUrl: string;
  siteId: string;
  plate: string;
  mail: DemoMail;
  /** Its car drives in. */
  driveIn: () => Promise<void>;
}

/**
 * Does what a driver does on the payment page: pays for a day of a stay, agrees that the card is stored, and logs in by
 * the mailed link. From then on the card pays by itself.
 */
export async function storeCard({ cloudUrl, siteId, plate, mail, driveIn }: CardPlan): Promise<void> {
  const post = async <Schema extends z.ZodType>(schema: Schema, path: string, body: object, token = '') => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const url = new URL(path, cloudUrl);
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}`);
    return schema.parse(await response.json());
  };
  const findStay = async () =>
    (await post(StaysSchema, PAY_PATHS.find, { siteCode: siteId, plate })).stays[0]?.key;

  // It may be inside from a start that was stopped.
  if ((await findStay()) === undefined) await driveIn();
  const stay = await waitFor(findStay, { what: `the stay of ${plate}` });
  const { dayPriceMinor } = await post(DueSchema, PAY_PATHS.due, { stay });
  const payment = randomUUID();
  const order = { payment, stay, amountMinor: dayPriceMinor, quantity: 1, language: 'en', storeCard: true };
  await post(z.unknown(), PAY_PATHS.order, { ...order, browser: BROWSER, card: CARD });
  await post(PaidSchema, PAY_PATHS.finish, { payment, card: CARD });

  await post(z.unknown(), DRIVER_PATHS.login, { email: CARD_DRIVER, language: 'en' });
  const link = /\/pay\/driver#(\S+)/;
  const secret = link.exec(await mail.textTo(CARD_DRIVER, link))?.[1];
  const { token } = await post(SessionSchema, DRIVER_PATHS.open, { link: secret });
  await post(z.unknown(), DRIVER_PATHS.settings, { caps: CAPS }, token);
  await post(DriverSchema, DRIVER_PATHS.storeCard, { payment }, token);
  await post(z.unknown(), DRIVER_PATHS.addVehicle, { payment }, token);
}
