import type { GateReason } from '../records/gate-reason.ts';
import type { LaneAlert } from '../site-link/site-event.ts';

/** Why a person moved a gate, as people read it. */
export const GATE_REASON_WORDS: Record<'is' | 'en', Record<GateReason, string>> = {
  is: {
    'unreadable-plate': 'Númerið er ólæsilegt',
    'wrong-plate': 'Númerið var mislesið',
    'cannot-pay': 'Ökumaður getur ekki greitt á staðnum',
    'paid-elsewhere': 'Greitt annars staðar',
    guest: 'Gestur',
    delivery: 'Vörusending',
    emergency: 'Neyð',
    'device-fault': 'Bilað tæki',
    event: 'Viðburður',
    works: 'Framkvæmdir',
    test: 'Prófun',
    other: 'Annað',
  },
  en: {
    'unreadable-plate': 'The plate cannot be read',
    'wrong-plate': 'The plate was misread',
    'cannot-pay': 'The driver cannot pay on site',
    'paid-elsewhere': 'Paid elsewhere',
    guest: 'Guest',
    delivery: 'Delivery',
    emergency: 'Emergency',
    'device-fault': 'Faulty device',
    event: 'Event',
    works: 'Works',
    test: 'Test',
    other: 'Other',
  },
};

/** What lanes alert people to. */
export const LANE_ALERT_WORDS: Record<'is' | 'en', Record<LaneAlert, string>> = {
  is: {
    tailgating: 'Bíll elti annan í gegn',
    blocklisted: 'Bíll á bannlista',
    'blocklist-lookalike': 'Líkist númeri á bannlista',
    'wrong-way': 'Bíll ók á móti akstursstefnu',
    'not-mine': 'Ökumaður segir: ekki minn bíll',
    'needs-help': 'Ökumaður gæti þurft aðstoð við hliðið',
    'stands-still': 'Stendur kyrrt fyrir framan myndavélina og opnar ekki',
  },
  en: {
    tailgating: 'A car followed another one through',
    blocklisted: 'A car on the blocklist',
    'blocklist-lookalike': 'Looks like a plate on the blocklist',
    'wrong-way': 'A car drove the wrong way',
    'not-mine': 'A driver says: not my car',
    'needs-help': 'A driver may need help at the gate',
    'stands-still': 'Stands still before the camera, and opens nothing',
  },
};

/** Why a gate is held or kept closed, as people read it. */
export function orderText(
  { reasonCode, note }: { reasonCode: GateReason | null; note: string },
  language: 'is' | 'en',
): string {
  if (reasonCode === null || reasonCode === 'other') return note;
  const words = GATE_REASON_WORDS[language][reasonCode];
  return note === '' ? words : `${words}: ${note}`;
}
