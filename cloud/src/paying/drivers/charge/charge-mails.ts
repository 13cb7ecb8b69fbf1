import type { Clock } from '@hlid/node/clock';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { cloudActor } from '../../../people/audit/audit.ts';
import { queueMail } from '../../../people/mail/queue-mail.ts';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import { ALL_ROWS } from '../../../platform/http/caller.ts';
import {
  type DriverChargeRow,
  type DriverRow,
  findCard,
  findDriver,
  updateCharge,
  wasMailed,
} from '../../../records/drivers/driver-store.ts';
import { siteName } from '../../../records/sites/find-sites.ts';
import { siteOfVisit } from '../../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../../records/visits/find-visits.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import type { RefusalKind } from '../../../stays/charges/charge-doubts.ts';
import { PayLinks } from '../../pay/link/pay-links.ts';
import { queueVisitReceipt } from '../../receipts/mail-receipt.ts';
import type { StayFacts } from '../../stay-facts-text.ts';
import { declinedMail, refusedMail } from './driver-mail.ts';

const PART = 'automatic-payments';

interface MailContext {
  db: Db;
  clock: Clock;
  publicUrl: () => string;
}

/** The mails to drivers about automatic payments. Each is queued in the transaction of what it reports. */
export class ChargeMails {
  readonly #publicUrl: () => string;
  readonly #links: PayLinks;

  constructor(context: MailContext) {
    this.#publicUrl = context.publicUrl;
    this.#links = new PayLinks(context);
  }

  /** Transactions make links, and must not wait for another one. */
  async prepare(): Promise<void> {
    await this.#links.prepare();
  }

  async queueReceipt(tx: Tx, charge: DriverChargeRow, now: UtcTime): Promise<void> {
    const about = await this.#driverAndStay(tx, charge);
    if (about === null) return;
    const { email, language } = about.driver;
    await queueVisitReceipt(tx, cloudActor(PART, now), about.visit, { email, language });
  }

  /** Asks the driver to pay by hand, and to resume automatic payments. */
  async queueDeclined(tx: Tx, charge: DriverChargeRow, now: UtcTime): Promise<void> {
    const about = await this.#driverAndStay(tx, charge);
    if (about === null) return;
    const { driver, visit } = about;
    const payAt = await this.#payLink(visit, driver);
    const mail = declinedMail(driver, { stay: await stayOf(tx.q, visit, charge), payAt });
    await queueMail(tx, { ...mail, visitId: visit.id }, now);
    await updateCharge(tx.q, charge.id, { mailed: true });
  }

  /** Asks the driver to pay by hand, once for a stay, however often its car drives to an exit. */
  async queueRefused(tx: Tx, charge: DriverChargeRow, kind: RefusalKind, now: UtcTime): Promise<void> {
    const about = await this.#driverAndStay(tx, charge);
    if (about === null || (await wasMailed(tx.q, charge))) return;
    const { driver, visit } = about;
    const url = this.#publicUrl();
    // A link shows the stay, which may be another driver's.
    const payAt =
      kind === 'doubt'
        ? `${url}/pay/${(await siteOfVisit(tx.q, visit)).code}`
        : await this.#payLink(visit, driver);
    const facts = await stayOf(tx.q, visit, charge);
    const stay = kind === 'doubt' ? { ...facts, ...HIDDEN_FACTS } : facts;
    const links = { stay, payAt, page: `${url}${DRIVER_PATHS.page}` };
    await queueMail(tx, { ...refusedMail(driver, kind, links), visitId: visit.id }, now);
    await updateCharge(tx.q, charge.id, { mailed: true });
  }

  async #driverAndStay(
    { q }: Tx,
    { driverId, visitId }: DriverChargeRow,
  ): Promise<{ driver: DriverRow; visit: VisitRow } | null> {
    const driver = await findDriver(q, driverId);
    const visit = await findVisitRow(q, visitId, ALL_ROWS);
    return driver && visit && { driver, visit };
  }

  async #payLink({ id }: VisitRow, { language }: DriverRow): Promise<string> {
    return (await this.#links.sent(id, language)).url;
  }
}

/** A mail about a stay that may be another driver's contains only its plate and place. */
const HIDDEN_FACTS = { startedAt: null, endedAt: null, amountMinor: null } as const;

/** A stay as a mail names it. */
async function stayOf(q: Queries, visit: VisitRow, charge: DriverChargeRow): Promise<StayFacts> {
  const { timeZone, currency } = await siteOfVisit(q, visit);
  const { plate, startedAt, endedAt, siteId } = visit;
  // A charge that the driver has not allowed reserves no amount: the visit's is used.
  const amountMinor = charge.amountMinor || visit.amountMinor || null;
  const card = (await findCard(q, charge.driverId))?.card ?? null;
  const place = await siteName(q, siteId);
  return { plate, siteName: place, timeZone, startedAt, endedAt, amountMinor, currency, card };
}
