import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { PriceLine } from '@hlid/protocol/tariff/price-line';
import { Badge } from '@hlid/ui/badge';
import { PriceLines } from '@hlid/ui/price-lines';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZones } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Money } from '../../ui/money.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useNow, wallText } from '../../ui/time.tsx';
import { CODES } from '../../words/codes.ts';
import { LANGUAGE, wordsOf } from '../../words/words.ts';
import { moneyOf, type PriceTrace, readPrice, type Visit } from './visit-api.ts';
import { VISIT } from './visit-words.ts';

/** The price of the visit, line by line, and the one if it left now. */
export function VisitPrice({ visit }: { visit: Visit }) {
  const [isOpen, setOpen] = useState(false);
  const now = useNow();
  // A stay that goes on costs more by the minute.
  const minute = visit.endedOn === null ? Math.floor(now / MINUTE_MS) : 0;
  const query = useQuery({
    queryKey: ['visit', visit.id, 'price', minute],
    queryFn: () => readPrice(visit.id),
    placeholderData: (before) => before,
  });
  useShortcut('p', VISIT.howPrice, () => setOpen(true));
  return (
    <section className="card" aria-label={VISIT.priceNow}>
      <h2>{VISIT.priceNow}</h2>
      <QueryView query={query}>
        {(trace) => (
          <>
            <IfLeftNow trace={trace} />
            <Due trace={trace} />
            <Button look="quiet" onPress={() => setOpen(true)}>
              {VISIT.howPrice}
            </Button>
            {isOpen && <PriceDialog trace={trace} visit={visit} onClose={() => setOpen(false)} />}
          </>
        )}
      </QueryView>
    </section>
  );
}

function IfLeftNow({ trace: { decision, due } }: { trace: PriceTrace }) {
  if (decision === null) return null;
  return (
    <p className="if-left">
      <strong>{VISIT.ifLeftNow}:</strong> {CODES.decision[decision.reason]}{' '}
      <Badge tone={decision.open ? 'positive' : 'caution'}>
        {decision.open ? VISIT.opens : VISIT.staysClosed}
      </Badge>
      {due !== null && due.amount > 0 && (
        <>
          {' '}
          {VISIT.dueThen} <Money {...moneyOf(due)} />
        </>
      )}
    </p>
  );
}

function Due({ trace: { due } }: { trace: PriceTrace }) {
  if (due === null) return <p className="quiet-text">{VISIT.noPrice}</p>;
  return (
    <>
      <PriceLines
        words={wordsOf('price')}
        label={VISIT.priceNow}
        lines={due.lines.map(lineOf)}
        currency={due.currency}
        language={LANGUAGE}
      />
      <p className="visit-due">
        <strong>{due.amount === 0 ? VISIT.nothingDue : VISIT.due}</strong>{' '}
        <strong>
          <Money {...moneyOf(due)} />
        </strong>
      </p>
    </>
  );
}

type LineView = NonNullable<PriceTrace['due']>['lines'][number];

function lineOf({ amount, unitAmount, ...same }: LineView): PriceLine {
  return { ...same, amountMinor: amount, ...(unitAmount !== undefined && { unitMinor: unitAmount }) };
}

/** All that the price is made of. */
function PriceDialog({ trace, visit, onClose }: { trace: PriceTrace; visit: Visit; onClose: () => void }) {
  const timeZone = useTimeZones()(visit.siteId);
  const { from, until, covered, unitsMet, paid, price, due, category, stored } = trace;
  const span = (a: string, b: string) => `${wallText(a, timeZone)} – ${wallText(b, timeZone)}`;
  return (
    <Dialog title={VISIT.howPrice} onClose={onClose}>
      <Details
        rows={[
          [VISIT.period, span(from, until)],
          [VISIT.category, category ?? VISIT.categoryUnknown],
          [VISIT.product, due && `${due.product.id} (${due.product.version})`],
          [VISIT.total, price && <Money {...moneyOf(price)} />],
          [VISIT.units, due && due.units > 0 ? due.units : null],
          [VISIT.unitsMet, unitsMet.payments > 0 ? unitsMet.payments : null],
          [VISIT.quotaUnits, unitsMet.quota > 0 ? unitsMet.quota : null],
          [
            VISIT.paid,
            price && paid > 0 ? <Money key="paid" {...moneyOf({ ...price, amount: paid })} /> : null,
          ],
          [
            VISIT.covered,
            covered.length > 0 ? covered.map((one) => span(one.from, one.to)).join('; ') : null,
          ],
          [
            VISIT.stored,
            stored && (
              <>
                <Money {...moneyOf(stored)} />, {wallText(stored.pricedOn, timeZone)}
              </>
            ),
          ],
        ]}
      />
      <IfLeftNow trace={trace} />
      <Due trace={trace} />
    </Dialog>
  );
}
