import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { LANGUAGES, type Language } from '@hlid/protocol/base/language';
import { formatMoney } from '@hlid/protocol/base/money';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PayDue } from '@hlid/protocol/pages/pay-api';
import { priceTexts } from '@hlid/protocol/words/price/price-texts';
import { durationText } from '@hlid/protocol/words/price-words';
import { productVersion } from '../../money/products/find-products.ts';
import type { Queries } from '../../platform/db/db.ts';
import { isDisputed, resumedAfterDispute } from '../../records/disputes/find-disputes.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { noticeOf } from '../../stays/visits/price/late-fee.ts';
import { payAfterDays } from '../online-payments/order-payment.ts';
import { localTime } from '../receipts/local-words.ts';

interface Words {
  /** A notice was delivered: until then the price stays as it is. */
  beforeFee: (by: string, fee: string) => string;
  /** The site sends notices, and has not sent one yet. */
  beforeNotice: (by: string, fee: string, length: string) => string;
  /** Nothing is ever added. */
  free: (by: string) => string;
}

const WORDS: Record<Language, Words> = {
  is: {
    beforeFee: (by, fee) => `Greiddu í síðasta lagi ${by}. Eftir það bætast við ${fee}.`,
    beforeNotice: (by, fee, length) =>
      `Hér má greiða til ${by}. Ef ekki er greitt sendum við tilkynningu, og ${fee} bætast við ef ekki er greitt innan þessa tíma frá henni: ${length}.`,
    free: (by) => `Hér má greiða til ${by} og ekkert bætist við. Hafðu samband við okkur eftir það.`,
  },
  en: {
    beforeFee: (by, fee) => `Pay by ${by}. After that, ${fee} is added.`,
    beforeNotice: (by, fee, length) =>
      `You can pay here until ${by}. If you do not, we send a notice, and ${fee} is added if it is not paid within ${length} of it.`,
    free: (by) => `You can pay here until ${by}, and nothing is added. After that, contact us.`,
  },
  pl: {
    beforeFee: (by, fee) => `Zapłać najpóźniej ${by}. Potem doliczymy ${fee}.`,
    beforeNotice: (by, fee, length) =>
      `Tutaj można zapłacić do ${by}. Bez zapłaty wyślemy wezwanie i doliczymy ${fee}, jeśli od wezwania minie: ${length}.`,
    free: (by) => `Tutaj można zapłacić do ${by}, bez dopłat. Potem skontaktuj się z nami.`,
  },
  de: {
    beforeFee: (by, fee) => `Zahlen Sie bis ${by}. Danach kommen ${fee} hinzu.`,
    beforeNotice: (by, fee, length) =>
      `Sie können hier bis ${by} zahlen. Sonst senden wir eine Mitteilung, und ${fee} kommen hinzu, wenn danach diese Frist vergeht: ${length}.`,
    free: (by) => `Sie können hier bis ${by} zahlen, ohne Aufschlag. Danach melden Sie sich bitte bei uns.`,
  },
  fr: {
    beforeFee: (by, fee) => `Payez avant le ${by}. Ensuite, ${fee} s’ajoutent.`,
    beforeNotice: (by, fee, length) =>
      `Vous pouvez payer ici jusqu’au ${by}. Sinon, nous envoyons un avis, et ${fee} s’ajoutent sans paiement dans ce délai après l’avis : ${length}.`,
    free: (by) => `Vous pouvez payer ici jusqu’au ${by}, sans supplément. Ensuite, contactez-nous.`,
  },
  es: {
    beforeFee: (by, fee) => `Pague antes del ${by}. Después se añaden ${fee}.`,
    beforeNotice: (by, fee, length) =>
      `Puede pagar aquí hasta el ${by}. Si no, enviamos un aviso y se añaden ${fee} si no paga en este plazo desde el aviso: ${length}.`,
    free: (by) => `Puede pagar aquí hasta el ${by}, sin recargo. Después, póngase en contacto con nosotros.`,
  },
  da: {
    beforeFee: (by, fee) => `Betal senest ${by}. Derefter kommer der ${fee} oveni.`,
    beforeNotice: (by, fee, length) =>
      `Du kan betale her indtil ${by}. Ellers sender vi et varsel, og der kommer ${fee} oveni, hvis der ikke betales inden for denne frist derefter: ${length}.`,
    free: (by) => `Du kan betale her indtil ${by}, og der kommer intet oveni. Kontakt os derefter.`,
  },
};

/**
 * How long a visit that left unpaid can be paid here, and what follows; null: it has not left, or is
 * contested.
 */
export async function afterwardsOf(
  q: Queries,
  visit: VisitRow,
  { settings, timeZone, currency }: Pick<ChosenSite, 'settings' | 'timeZone' | 'currency'>,
  now: UtcTime,
): Promise<NonNullable<PayDue['afterwards']> | null> {
  const { endedAt, price } = visit;
  if (endedAt === null || (await isDisputed(q, visit.id))) return null;
  const payUntil = utcTime(millis(endedAt) + payAfterDays({ settings }) * DAY_MS);
  const product = price && settings.chargesLateFees === true ? await productVersion(q, price.product) : null;
  const lateFee = product?.config.tariff?.lateFee;
  const deliveredAt = lateFee && (await noticeOf(q, visit.id));
  const noticeAt = deliveredAt && (await resumedAfterDispute(q, visit.id, deliveredAt));
  const feeAt = lateFee && noticeAt ? utcTime(millis(noticeAt) + lateFee.afterMinutes * MINUTE_MS) : null;
  const texts = LANGUAGES.map((language): [Language, string] => {
    const words = WORDS[language];
    const until = localTime(payUntil, timeZone, language);
    if (lateFee === undefined || (feeAt !== null && feeAt <= now)) return [language, words.free(until)];
    const fee = formatMoney({ amountMinor: lateFee.amountMinor, currency }, language);
    if (feeAt !== null) return [language, words.beforeFee(localTime(feeAt, timeZone, language), fee)];
    return [
      language,
      words.beforeNotice(until, fee, durationText(lateFee.afterMinutes, priceTexts(language))),
    ];
  });
  return Object.fromEntries(texts);
}
