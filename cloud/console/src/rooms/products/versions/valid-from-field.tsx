import type { ShownProduct as Product } from '@hlid/cloud/money/products/product';
import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { useAllSites } from '../../../shell/site.ts';
import { DateField } from '../../../ui/period-field.tsx';
import { OWN_ZONE } from '../../../ui/time.tsx';
import { VERSION } from './version-words.ts';

/** The day from which what is saved holds; empty: it holds now. */
export function ValidFromField({
  product,
  value,
  onChange,
}: {
  product: Product;
  value: string;
  onChange: (day: string) => void;
}) {
  const today = useLatestToday(product.siteId);
  return (
    <>
      <DateField label={VERSION.validFrom} value={value} min={dayAfter(today, 1)} onChange={onChange} />
      <p className="quiet-text">{value === '' ? VERSION.holdsNow : VERSION.holdsLater}</p>
    </>
  );
}

/**
 * The day that it is at the site; where a product holds at several sites, at the one with the latest day. A version may
 * begin on the day after it: it has begun nowhere then.
 */
function useLatestToday(siteId: string | null): string {
  const zones = useAllSites()
    .filter(({ id }) => siteId === null || id === siteId)
    .map(({ timeZone }) => timeZone);
  const days = (zones.length === 0 ? [OWN_ZONE] : zones).map((zone) => siteWall(new Date(), zone).day);
  return days.reduce((latest, day) => (day > latest ? day : latest));
}
