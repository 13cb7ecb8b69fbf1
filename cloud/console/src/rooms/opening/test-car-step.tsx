import { normalisePlate } from '@hlid/protocol/plate/plate';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { can, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { TextField } from '../../ui/field.tsx';
import { RefusedNotice } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { editVisit, listVisits } from '../visits/visit-api.ts';
import { MayNot } from './may-not.tsx';
import { type StepProps, useAnswer } from './opening-api.ts';
import { WORDS } from './opening-words.ts';

const REFETCH_MS = 2000;

/**
 * One car in and out. The plate stands in the address of the page only. What is stored is when the test began, and the
 * visit once it is known.
 */
export function TestCarStep(props: StepProps) {
  const { siteId, opening, step } = props;
  const { filters, setFilters } = useFilters();
  const [plate, setPlate] = useState(filters['plate'] ?? '');
  const mayVisits = can(useSession(), 'settle');
  const answer = useAnswer(siteId, 'test-car');
  const hasBegun = step.answered?.answer === 'begun';
  const visit = opening.facts.testVisit;
  return (
    <>
      {visit === null ? (
        <form
          className="opening-test"
          onSubmit={(event) => {
            event.preventDefault();
            setFilters({ plate });
            answer.mutate({ answer: 'begun' });
          }}
        >
          <TextField
            label={WORDS.test.plate}
            hint={WORDS.test.plateHint}
            value={plate}
            onChange={setPlate}
            isRequired
            autoComplete="off"
          />
          <Button
            type="submit"
            look={hasBegun ? 'plain' : 'primary'}
            isPending={answer.isPending}
            isDisabled={!step.accepts.includes('begun')}
          >
            {hasBegun ? WORDS.test.again : WORDS.test.begin}
          </Button>
        </form>
      ) : (
        <TestVisit {...props} visit={visit} />
      )}
      {hasBegun && visit === null && step.answered && mayVisits && (
        <Arrivals siteId={siteId} begunOn={step.answered.on} plate={plate} />
      )}
      {!mayVisits && <MayNot permission="visits" />}
      <RefusedNotice error={answer.error} />
    </>
  );
}

/** The cars that have come in since the test began: the one with the typed plate is taken, another one on request. */
function Arrivals({ siteId, begunOn, plate }: { siteId: string; begunOn: string; plate: string }) {
  const timeZone = useTimeZone(siteId);
  const answer = useAnswer(siteId, 'test-car');
  const { data } = useQuery({
    queryKey: ['visits', 'test-car', siteId, begunOn],
    queryFn: () => listVisits({ siteId, 'date.from': begunOn, order: 'oldest' }),
    refetchInterval: REFETCH_MS,
  });
  const visits = (data?.data ?? []).slice(0, MAX_ARRIVALS);
  const found = visits.find((visit) => visit.plate !== null && visit.plate === normalisePlate(plate));
  const taken = useRef<string | null>(null);
  const { mutate } = answer;
  useEffect(() => {
    if (!found || taken.current === found.id) return;
    taken.current = found.id;
    mutate({ answer: 'begun', visitId: found.id });
  }, [found, mutate]);
  return (
    <>
      <h3>{WORDS.test.arrivals}</h3>
      <p className="quiet-text">
        {WORDS.test.since} <Moment at={begunOn} timeZone={timeZone} />
      </p>
      {visits.length === 0 ? (
        <p role="status">{WORDS.test.none}</p>
      ) : (
        <ul className="opening-things">
          {visits.map(({ id, plate: read, startedOn }) => (
            <li key={id} className="card row-acts">
              <span className="opening-thing">
                <PlateSign plate={read} unread="?" />{' '}
                <span className="quiet-text">
                  {WORDS.test.cameIn} <Moment at={startedOn} timeZone={timeZone} />
                </span>
              </span>
              <Button
                isPending={answer.isPending}
                onPress={() => answer.mutate({ answer: 'begun', visitId: id })}
              >
                {WORDS.test.isIt({ plate: read ?? '?' })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <RefusedNotice error={answer.error} />
    </>
  );
}

const MAX_ARRIVALS = 10;

/** The visit of the test car as it is now, and its removal when the car has left. */
function TestVisit({
  siteId,
  step,
  visit,
}: StepProps & { visit: NonNullable<StepProps['opening']['facts']['testVisit']> }) {
  const timeZone = useTimeZone(siteId);
  const toasts = useToasts();
  const answer = useAnswer(siteId, 'test-car');
  const mayVisits = can(useSession(), 'settle');
  const remove = useSubmit((_: null) => removeVisit(visit), {
    invalidates: [['opening'], ['visits'], ['visit', visit.id]],
    onDone: () => toasts.done(WORDS.test.removed),
  });
  return (
    <>
      <Details
        rows={[
          [WORDS.test.cameIn, <Moment key="in" at={visit.startedOn} timeZone={timeZone} isExact />],
          [
            WORDS.test.left,
            visit.endedOn === null ? (
              WORDS.test.inside
            ) : (
              <Moment key="out" at={visit.endedOn} timeZone={timeZone} isExact />
            ),
          ],
        ]}
      />
      {mayVisits && (
        <p>
          <Link to={`/${siteId}/visits/${visit.id}`}>{WORDS.test.show}</Link>
        </p>
      )}
      {visit.endedOn === null && <p role="status">{WORDS.test.out}</p>}
      {visit.endedOn !== null && !visit.isVoid && (
        <>
          <p className="hint">{WORDS.test.removeHint}</p>
          <span className="row-acts">
            <Button
              look="primary"
              isDisabled={!mayVisits}
              isPending={remove.isPending}
              onPress={() => remove.mutate(null)}
            >
              {WORDS.test.remove}
            </Button>
          </span>
          <RefusedNotice error={remove.error} />
        </>
      )}
      {visit.isVoid && step.accepts.includes('begun') && (
        <span className="row-acts">
          <Button isPending={answer.isPending} onPress={() => answer.mutate({ answer: 'begun' })}>
            {WORDS.test.again}
          </Button>
        </span>
      )}
      <RefusedNotice error={answer.error} />
    </>
  );
}

/** Voids a visit. One that was settled at the exit waits for its payment first: only that can be voided. */
async function removeVisit({ id, status }: { id: string; status: string }): Promise<void> {
  const reason = WORDS.test.reason;
  if (status === 'completed') await editVisit(id, { status: 'need-payment', reason });
  await editVisit(id, { paymentStatus: 'void', reason });
}
