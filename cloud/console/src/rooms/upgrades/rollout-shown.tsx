import { Badge } from '@hlid/ui/badge';
import { useId, useState } from 'react';
import { read } from '../../calls/api.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Moment, useNow } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { GROUPS, groupCounts, ringsOf } from './rollout-groups.ts';
import { RolloutSites } from './rollout-sites.tsx';
import { pauseText, stateText } from './rollout-text.ts';
import { ROLLOUT_QUERIES, type RolloutDetail, rolloutApi } from './upgrade-api.ts';
import { callerText, countsText, stateTone, WORDS } from './upgrade-words.ts';

/** A rollout: how far it is, what can be done, and its sites. */
export function RolloutShown({ rollout, title }: { rollout: RolloutDetail; title: string }) {
  const { state, soakHours, maxAtOnce, createdAt, by, byName, overAt } = rollout;
  const timeZone = useTimeZone();
  const now = useNow();
  const titleId = useId();
  const paused = pauseText(rollout);
  return (
    <>
      <section className="card rollout" aria-labelledby={titleId}>
        <header>
          <h2 id={titleId}>{title}</h2>
          <Badge tone={stateTone(state)}>{WORDS.states[state]}</Badge>
          {overAt === null && <RolloutActs rollout={rollout} />}
        </header>
        <div role="status">
          {paused !== null && (
            <div className="notice caution">
              <p className="reason-text">{paused}</p>
              <p>{WORDS.pausedHint}</p>
            </div>
          )}
          <p>{stateText(rollout, timeZone, now)}</p>
        </div>
        <Rings rollout={rollout} />
        <Details
          rows={[
            [
              WORDS.started,
              <>
                <Moment at={createdAt} timeZone={timeZone} isExact />, {callerText(by, byName)}
              </>,
            ],
            [WORDS.over, overAt && <Moment at={overAt} timeZone={timeZone} isExact />],
            [WORDS.soak, WORDS.hours({ hours: soakHours })],
            [WORDS.atOnce, WORDS.sitesCount({ count: maxAtOnce })],
          ]}
        />
      </section>
      <RolloutSites rollout={rollout} />
    </>
  );
}

/** The progress of each ring: in words, and as a bar with parts that differ by more than their colours. */
function Rings({ rollout: { sites } }: { rollout: RolloutDetail }) {
  return (
    <ul className="rings">
      {ringsOf(sites).map(({ ring, counts }) => (
        <li key={ring}>
          <strong>{WORDS.ring({ ring })}</strong>
          <span className="ring-bar" aria-hidden="true">
            {GROUPS.filter((group) => counts[group] > 0).map((group) => (
              <i key={group} data-group={group} style={{ flexGrow: counts[group] }} />
            ))}
          </span>
          <span>{countsText(counts)}</span>
        </li>
      ))}
    </ul>
  );
}

const ACT_NAMES = ['resume', 'pause', 'end'] as const satisfies readonly RolloutDetail['actions'][number][];
type Act = (typeof ACT_NAMES)[number];
const LOOKS = { resume: 'primary', pause: 'plain', end: 'negative' } as const;

function RolloutActs({ rollout }: { rollout: RolloutDetail }) {
  const [asks, setAsks] = useState<Act | null>(null);
  return (
    <div className="row-acts">
      {ACT_NAMES.filter((act) => rollout.actions.includes(act)).map((act) => (
        <Button key={act} look={LOOKS[act]} onPress={() => setAsks(act)}>
          {WORDS[act]}
        </Button>
      ))}
      {asks !== null && <ActDialog act={asks} rollout={rollout} onClose={() => setAsks(null)} />}
    </div>
  );
}

const ACTS = {
  pause: { title: WORDS.pauseTitle, submit: WORDS.pause, hint: WORDS.pauseHint, done: WORDS.pauseDone },
  resume: { title: WORDS.resumeTitle, submit: WORDS.resume, hint: WORDS.resumeHint, done: WORDS.resumeDone },
  end: { title: WORDS.endTitle, submit: WORDS.end, hint: WORDS.endHint, done: WORDS.endDone },
} as const;

function ActDialog({
  act,
  rollout: { id, version, counts },
  onClose,
}: {
  act: Act;
  rollout: RolloutDetail;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const { title, hint, done } = ACTS[act];
  const { failed } = groupCounts(counts);
  const change = useSubmit(
    (_: null, headers) => read(rolloutApi.rollouts[':id'][act].$post({ param: { id } }, { headers })),
    {
      invalidates: ROLLOUT_QUERIES,
      onDone: () => {
        toasts.done(done);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={title({ version })}
      submit={title({ version })}
      isFinal={act === 'end'}
      error={change.error}
      isBusy={change.isPending}
      onSubmit={() => change.mutate(null)}
      onClose={onClose}
    >
      <p>{hint}</p>
      {act === 'resume' && failed > 0 && <p>{WORDS.resumeFailed({ count: failed })}</p>}
    </FormDialog>
  );
}
