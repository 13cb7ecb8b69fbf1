import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { z } from 'zod';
import type { DemoMail } from './demo-mail.ts';
import { PhonePayer } from './pay-by-phone.ts';

/** The fictitious driver of the demo with a card that pays at the exit. */
export const CARD_DRIVER = 'driver@hlid.example';

const CAPS = { currency: 'ISK', stayMinor: 5000, dayMinor: 100_000 };

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
  const payer = new PhonePayer({ cloudUrl, siteId });
  // It may be inside from a start that was stopped.
  if ((await payer.findStay(plate)) === undefined) await driveIn();
  const payment = await payer.pay(plate, 'day-and-store-card');

  await payer.post(z.unknown(), DRIVER_PATHS.login, { email: CARD_DRIVER, language: 'en' });
  const link = /\/pay\/driver#(\S+)/;
  const secret = link.exec(await mail.textTo(CARD_DRIVER, link))?.[1];
  const { token } = await payer.post(SessionSchema, DRIVER_PATHS.open, { link: secret });
  await payer.post(z.unknown(), DRIVER_PATHS.settings, { caps: CAPS }, token);
  await payer.post(DriverSchema, DRIVER_PATHS.storeCard, { payment }, token);
  await payer.post(z.unknown(), DRIVER_PATHS.addVehicle, { payment }, token);
}
