import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../ui/button.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { wordsOf } from '../words/words.ts';
import {
  countDone,
  FIRST_STEPS_KEY,
  firstStepsQuery,
  isUnfinished,
  putFirstStepsAway,
} from './first-steps.ts';
import { useAddress } from './room-address.ts';

const WORDS = wordsOf('firstStepsLine');

/** The remaining steps of a new installation, in a line on the start page, until it is put away. */
export function FirstStepsLine() {
  const addressOf = useAddress();
  const { data } = useQuery(firstStepsQuery);
  const away = useSubmit(putFirstStepsAway, { invalidates: [FIRST_STEPS_KEY] });
  if (data === undefined || !isUnfinished(data)) return null;
  return (
    <section className="notice first-steps-line" aria-label={WORDS.title}>
      <span>{WORDS.done({ done: countDone(data), total: data.steps.length })}</span>
      <Link to={addressOf('first-steps')}>{WORDS.show}</Link>
      <Button look="quiet" isPending={away.isPending} onPress={() => away.mutate(null)}>
        {WORDS.putAway}
      </Button>
    </section>
  );
}
