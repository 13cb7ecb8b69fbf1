import { formatMoney } from '@hlid/protocol/base/money';
import type { DriverCharge, DriverCharges } from '@hlid/protocol/pages/driver-api';
import { every } from '@hlid/ui/every';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useEffect, useMemo, useState } from 'react';
import { DriverCloud } from '../../driver-cloud.ts';
import { usePage } from '../../pay-context.ts';
import { momentText } from '../../site-clock.ts';

const RETRY_MS = 3000;

export interface ChargesProps {
  token: string | null;
  /** An outcome is unknown; when it is known, the list is another one. */
  isChecking: boolean;
}

/** The automatic charges, and the reasons of those that failed, newest first. */
export function ChargesPart({ token, isChecking }: ChargesProps) {
  const words = usePage().words.charges;
  const cloud = useMemo(() => new DriverCloud(), []);
  const [list, setList] = useState<DriverCharges>({ charges: [], isEnd: true });
  /** The page that is requested: the newest one, or what is older than a charge; null: none. */
  const [wanted, setWanted] = useState<{ after: readonly DriverCharge[] } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a payment that was checked is in the list.
  useEffect(() => setWanted({ after: [] }), [isChecking]);
  useEffect(() => {
    if (wanted === null || token === null) return;
    const last = wanted.after.at(-1);
    const page = last === undefined ? {} : { before: { at: last.at, id: last.id } };
    const stop = every(RETRY_MS, async (signal) => {
      const answer = await cloud.charges(page, token, signal);
      if (signal.aborted || answer.kind === 'lost') return;
      stop();
      setWanted(null);
      if (answer.kind !== 'ok') return;
      setList({ ...answer.value, charges: [...wanted.after, ...answer.value.charges] });
    });
    return stop;
  }, [cloud, token, wanted]);
  if (list.charges.length === 0) return null;
  return (
    <section className="part bill charges">
      <h2>{words.title}</h2>
      {list.charges.map((charge) => (
        <ChargeRow key={charge.id} charge={charge} />
      ))}
      {!list.isEnd && (
        <button
          type="button"
          className="button quiet link"
          disabled={wanted !== null}
          onClick={() => setWanted({ after: list.charges })}
        >
          {words.older}
        </button>
      )}
    </section>
  );
}

function ChargeRow({ charge }: { charge: DriverCharge }) {
  const {
    language,
    words: { charges: words },
  } = usePage();
  const { at, site, plate, state, refusal, amount, receipt } = charge;
  const when = momentText(at, new Date(), site.timeZone, language);
  return (
    <div>
      <div className="stay-head">
        {plate !== null && <PlateSign plate={plate} />}
        {amount !== null && <strong>{formatMoney(amount, language)}</strong>}
      </div>
      <p>
        {refusal === null ? words[state] : words[refusal]}
        <small>{`${when}, ${site.name}`}</small>
      </p>
      {receipt !== null && (
        <a
          className="button quiet link"
          href={`${receipt}?lang=${language}`}
          target="_blank"
          rel="noreferrer"
          aria-label={`${words.receipt}: ${plate ?? ''} ${when}`}
        >
          {words.receipt}
        </a>
      )}
    </div>
  );
}
