import { Badge } from '@hlid/ui/badge';
import { PlateSign } from '@hlid/ui/plate-sign';
import { Money } from '../../ui/money.tsx';
import { pictureOf } from '../../ui/picture.tsx';
import { Moment } from '../../ui/time.tsx';
import { useSiteNames, useTimeZone } from '../site.ts';
import type { Found, FoundVisit } from './find-api.ts';
import type { FindGroup } from './find-box.tsx';
import { FIND } from './find-words.ts';

/** The results of the cloud, as lines that open their pages. */
export function groupsOf(found: Found | null, open: (path: string) => void, max: number): FindGroup[] {
  if (found === null) return [];
  const groups: FindGroup[] = [
    {
      title: FIND.cars,
      options: found.visits.slice(0, max).map((visit) => ({
        id: `visit-${visit.visitId}`,
        content: <FoundCar visit={visit} />,
        open: () => open(`visits/${visit.visitId}`),
      })),
    },
    {
      title: FIND.invoices,
      options: found.invoices.map(({ id, number, amount, currency, customer }) => ({
        id: `invoice-${id}`,
        content: (
          <>
            <strong>{FIND.invoice({ number })}</strong>
            <span className="find-rest">{customer}</span>
            <Money amountMinor={amount} currency={currency} />
          </>
        ),
        open: () => open(`money/invoices/${id}`),
      })),
    },
    {
      title: FIND.customers,
      options: found.customers.map(({ id, name, ssn }) => ({
        id: `customer-${id}`,
        content: (
          <>
            <strong>{name ?? ssn}</strong>
            <span className="find-rest quiet-text">{name === null ? null : ssn}</span>
          </>
        ),
        open: () => open(`customers/${id}`),
      })),
    },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

/** A visit that a plate has found: where the plate differs from what was typed, and why it was found. */
function FoundCar({ visit }: { visit: FoundVisit }) {
  const { plate, match, inside, startedOn, endedOn, siteId, vehicle, photoId } = visit;
  const timeZone = useTimeZone(siteId);
  const nameOf = useSiteNames();
  const reason = reasonText(visit);
  const places = visit.differences.filter(({ found }) => found !== '').map(({ at }) => at);
  return (
    <>
      <span className="find-picture">
        {photoId !== null && <img src={pictureOf(photoId, 'thumb')} alt="" loading="lazy" />}
      </span>
      <PlateSign plate={plate} doubtful={{ places, text: '' }} />
      <span className="find-rest">
        <span>
          {inside ? <Badge tone="positive">{FIND.inside}</Badge> : <Badge>{FIND.left}</Badge>}{' '}
          {[vehicle?.make, vehicle?.model, vehicle?.color].filter(Boolean).join(' ')}
        </span>
        <small className="quiet-text">
          {nameOf(siteId)} · {inside ? FIND.entered : FIND.left}{' '}
          <Moment at={endedOn ?? startedOn} timeZone={timeZone} />
        </small>
      </span>
      <span className={`find-why ${match}`}>{reason}</span>
    </>
  );
}

/** Why a plate was found: `8 for B`, `One character different`. */
function reasonText({ match, differences }: Pick<FoundVisit, 'match' | 'differences'>): string {
  if (match === 'equal' || match === 'prefix') return FIND.matches[match];
  const texts = differences.map(({ typed, found }) => {
    if (typed === '') return FIND.surplus({ found });
    return found === '' ? FIND.missing({ typed }) : FIND.other({ found, typed });
  });
  return texts.length === 0 || texts.length > 2 ? FIND.matches[match] : texts.join(', ');
}
