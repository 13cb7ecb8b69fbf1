import type { KioskDue } from './kiosk-api.ts';
import type { Price } from './price-visit.ts';
import type { Visit } from './visit.ts';
import type { Decided, Demand } from './visit-transitions.ts';

/** How a visit stands with what it owes. */
export interface VisitStanding {
  standing: KioskDue['standing'];
  /** What is to be paid now; null: nothing. */
  demand: (Demand & { price: Price }) | null;
}

/**
 * How a visit stands by the decision of an exit: whoever may pay is asked for what the gate would ask for.
 *
 * @param decide what the exit would do for its plate; not called for a visit that cannot leave by it
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
    // Nobody is sent a bill who would rather pay.
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
