import { ROOM_NAMES } from '../../shell/room-names.ts';
import { EVERY_SITE } from '../../shell/site.ts';
import type { Filters } from '../../shell/use-filters.ts';
import type { Lesson } from './training-api.ts';

interface Place {
  to: string;
  search?: Filters;
  /** The name of the room. */
  room: string;
}

type Room = keyof typeof ROOM_NAMES;

const ROOM_OF: Readonly<Record<string, Room>> = {
  arrived: 'now',
  found: 'now',
  permit: 'permits',
  left: 'now',
  misread: 'now',
  corrected: 'review',
  'at-exit': 'now',
  decided: 'now',
  down: 'devices',
  tried: 'devices',
  works: 'devices',
  paid: 'money',
  refunded: 'money',
  'money-back': 'money',
  prepared: 'money',
  'unpaid-settled': 'money',
  'doubt-answered': 'money',
  'day-signed': 'money',
};

/** The page where a step of a lesson is done, or seen. */
export function placeOf(step: string, { siteId, invoiceId, paymentId }: Lesson): Place | null {
  const room = ROOM_OF[step];
  if (room === undefined) return null;
  const site = siteId ?? EVERY_SITE;
  const at = (path: string, search?: Filters): Place => ({
    to: `/${site}/${path}`,
    room: ROOM_NAMES[room],
    ...(search && { search }),
  });
  if ((step === 'refunded' || step === 'money-back') && invoiceId !== null) {
    return at(`money/invoices/${invoiceId}`);
  }
  if (step === 'unpaid-settled') return at('money', { tab: 'unpaid' });
  if (step === 'day-signed') return at('money', { tab: 'closes' });
  if (step === 'doubt-answered' && paymentId !== null) return at(`money/payments/${paymentId}`);
  return at(room);
}
