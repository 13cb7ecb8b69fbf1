import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { dayAfter } from '../../../ui/period.ts';
import { DateField } from '../../../ui/period-field.tsx';
import { OWN_ZONE } from '../../../ui/time.tsx';
import { VERSION } from './version-words.ts';

/** The day from which what is saved holds; empty: it holds now. */
export function ValidFromField({ value, onChange }: { value: string; onChange: (day: string) => void }) {
  const { day } = siteWall(new Date(), OWN_ZONE);
  return (
    <>
      <DateField label={VERSION.validFrom} value={value} min={dayAfter(day, 1)} onChange={onChange} />
      <p className="quiet-text">{value === '' ? VERSION.holdsNow : VERSION.holdsLater}</p>
    </>
  );
}
