import { inSentence } from '@hlid/protocol/base/in-sentence';
import { NUMBER_LOCALES } from '@hlid/protocol/base/language';
import { dateText, siteWall } from '@hlid/protocol/site-link/site-wall';
import { moneyText } from '../../ui/money.tsx';
import { wallText } from '../../ui/time.tsx';
import { CODES, STATUS } from '../../words/codes.ts';
import { LANGUAGE } from '../../words/words.ts';
import { TIMELINE } from './timeline-words.ts';
import { moneyOf, type TimelineEntry } from './visit-api.ts';
import { VISIT } from './visit-words.ts';

/** The main text and the additional text of a timeline entry. */
export function entryText(
  entry: TimelineEntry,
  { timeZone, laneName }: { timeZone: string; laneName: (id: string) => string },
): { title: string; details: string[] } {
  const { kind, code, params } = entry;
  const text = (name: string) => (typeof params[name] === 'string' ? params[name] : '');
  const some = (...texts: (string | null)[]) => texts.filter((one): one is string => Boolean(one));
  const lane = text('laneId') && TIMELINE.lane({ lane: laneName(text('laneId')) });
  switch (kind) {
    case 'read': {
      const score =
        typeof params['score'] === 'number' ? TIMELINE.score({ percent: percentText(params['score']) }) : '';
      return { title: word(TIMELINE.standings, code), details: some(text('plate'), lane, score) };
    }
    case 'decision':
      return {
        title: `${word(CODES.decision, code)}: ${params['open'] === true ? TIMELINE.opened : TIMELINE.closed}`,
        details: some(text('plate'), lane),
      };
    case 'gate':
      return {
        title: word(TIMELINE.gates, code),
        details: some(
          word(TIMELINE.outcomes, text('outcome')),
          lane,
          word({ ...CODES.decision, ...CODES.gateReason }, text('reason')),
        ),
      };
    case 'alert':
      return { title: word(CODES.laneAlert, code), details: some(text('plate'), lane) };
    case 'payment': {
      const card = some(text('cardType'), text('cardLastFour') && `•••• ${text('cardLastFour')}`).join(' ');
      const tip = typeof params['tip'] === 'number' && params['tip'] > 0 ? params['tip'] : null;
      return {
        title: TIMELINE.payment({ state: inSentence(word(STATUS.payment, code)) }),
        details: some(
          amountOf(params),
          tip === null ? null : TIMELINE.tip({ amount: amountOf({ ...params, amount: tip }) ?? '' }),
          card,
          paymentReason(text('reason')),
        ),
      };
    }
    case 'settlement': {
      const way = word(CODES.paymentWay, text('paidWith'));
      return {
        title: TIMELINE.settled({ how: inSentence(word(STATUS.settlement, code)) }),
        details: some(amountOf(params), way),
      };
    }
    case 'invoice':
    case 'refund': {
      const number =
        typeof params['number'] === 'number' ? VISIT.invoiceNumber({ number: params['number'] }) : null;
      const title =
        kind === 'refund'
          ? TIMELINE.refunded
          : TIMELINE.invoice({ state: inSentence(word(STATUS.invoice, code)) });
      return { title, details: some(number, amountOf(params)) };
    }
    case 'notice':
      return { title: TIMELINE.notice, details: [] };
    case 'mail':
      return {
        title: word(TIMELINE.mails, code),
        details: some(text('to'), word(TIMELINE.mailStatuses, text('status'))),
      };
    case 'status':
      return {
        title: word(STATUS.visit, code),
        details: some(stepReason(text('reason'))),
      };
    case 'edit':
      return {
        title: word(TIMELINE.edits, code),
        details: [...some(text('reason')), ...changeTexts(entry, timeZone)],
      };
    default:
      return kind satisfies never;
  }
}

/** The doer's name or kind; null if it is unknown, and for lanes, which the details name. */
export function whoText({ who }: TimelineEntry): string | null {
  if (who === null) return null;
  if (who.name !== null) return who.name;
  const [kind = ''] = who.by.split(':');
  return kind === 'lane' ? null : word(TIMELINE.doers, kind);
}

/** The words for a code, or the code where it has none. */
function word(words: Readonly<Record<string, string>>, code: string): string {
  // A code without words on this page is shown without its separators, so that it does not look like an
  // identifier.
  return words[code] ?? code.replaceAll(/[-_.]/g, ' ');
}

/** The words for a reason, which may have a value after a colon. What a person wrote is shown as it was written. */
function stepReason(reason: string): string {
  const reasons: Readonly<Record<string, string>> = {
    ...CODES.decision,
    ...CODES.flag,
    ...TIMELINE.stepReasons,
  };
  const [code = '', value] = reason.split(': ');
  const words = reasons[code];
  if (words === undefined) return reason;
  return value === undefined ? words : `${words}: ${inSentence(word(STATUS.settlement, value))}`;
}

function paymentReason(code: string): string {
  const { paymentReasons }: { paymentReasons: Readonly<Record<string, string>> } = TIMELINE;
  return paymentReasons[code] ?? code;
}

function amountOf({ amount, currency }: TimelineEntry['params']): string | null {
  if (typeof amount !== 'number' || amount === 0 || typeof currency !== 'string') return null;
  return moneyText(moneyOf({ amount, currency }));
}

function percentText(score: number): string {
  const share = score > 1 ? score / 100 : score;
  return new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], {
    style: 'percent',
    maximumFractionDigits: 0,
  }).format(share);
}

/** The changes of fields that people know; prices and ids of what belongs to a visit are left out. */
function changeTexts({ changes }: TimelineEntry, timeZone: string): string[] {
  const names: Readonly<Record<string, string>> = TIMELINE.fields;
  return changes.flatMap(({ field, before, after }) => {
    const name = names[field];
    if (name === undefined) return [];
    return [`${name}: ${valueText(field, before, timeZone)} → ${valueText(field, after, timeZone)}`];
  });
}

function valueText(field: string, value: unknown, timeZone: string): string {
  if (Array.isArray(value)) return value.map((flag) => word(CODES.flag, String(flag))).join(', ') || '–';
  if (typeof value !== 'string') return '–';
  if (field === 'status') return word(STATUS.visit, value);
  if (field === 'paymentStatus') return word(STATUS.settlement, value);
  return field.endsWith('At') ? wallText(value, timeZone) : value;
}

/**
 * The time to the second, since what a lane does follows within seconds. The time zone stands above the
 * timeline.
 */
export function exactText(on: string, timeZone: string): string {
  const at = new Date(on);
  const { day, time } = siteWall(at, timeZone);
  // The seconds are the same in every zone.
  return `${dateText(day, LANGUAGE)} ${time}:${String(at.getUTCSeconds()).padStart(2, '0')}`;
}
