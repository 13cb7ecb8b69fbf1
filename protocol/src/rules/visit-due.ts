import type { KioskDue } from '../pages/kiosk-api.ts';
import type { Visit } from '../records/visit.ts';
import type { Price } from '../tariff/price-visit.ts';
import type { Decided, Demand } from './visit-transitions.ts';

/** The state of a visit's debt. */
export interface VisitStanding {
  standing: KioskDue['standing'];
  /** The amount to pay now; null: nothing. */
  demand: (Demand & { price: Price }) | null;
}

/**
 * The amount that a visit can pay now. An exit would stay closed for the same amount.
 *
 * @param decide makes an exit's decision for its plate; not called for a visit that cannot leave
 */
export function visitStanding(
  { endedAt, plate }: Pick<Visit, 'endedAt' | 'plate'>,
  decide: (plate: string) => Pick<Decided, 'decision' | 'price' | 'quota'>,
): VisitStanding {
  if (endedAt !== null) return { standing: 'ended', demand: null };
  if (plate === null) return { standing: 'need-plate', demand: null };
  const { decision, price, quota } = decide(plate);
  if (price === null) return { standing: 'no-price', demand: null };
  switch (decision.reason) {
    case 'need-payment':
    // A driver who pays gets no invoice.
    case 'owner-invoice':
      return { standing: 'due', demand: { price, quota, flags: [] } };
    case 'paid':
      return { standing: 'paid', demand: null };
    case 'whitelisted':
      return { standing: 'whitelisted', demand: null };
    case 'company-invoice':
    case 'quota':
      return { standing: 'invoiced', demand: null };
    default:
      return { standing: 'nothing-due', demand: null };
  }
}
