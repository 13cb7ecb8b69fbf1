import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { Badge } from '@hlid/ui/badge';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { sentencesOf } from '../../calls/refusal-words.ts';
import { reviewSummaryQuery } from '../../shell/badges.ts';
import { useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteFilter, useSiteNames, useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Failed, Loading, RefusedNotice } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { COMMON } from '../../words/common.ts';
import { CaseAnswers } from './case-answers.tsx';
import { CasePicture } from './case-picture.tsx';
import { type ReviewCase, reviewCalls } from './review-calls.ts';
import { numberText, waitingText } from './review-numbers.ts';
import { ReviewQueue, type ReviewState, type SentAnswer } from './review-queue.ts';
import { REVIEW } from './review-words.ts';

export function CasesTab() {
  const filter = useSiteFilter();
  return <Cases key={filter.siteId ?? ''} filter={filter} />;
}

function Cases({ filter }: { filter: { siteId?: string } }) {
  const { queue, state } = useReviewQueue(filter);
  const [drafts, setDrafts] = useState<Readonly<Record<string, string>>>({});
  const toasts = useToasts();
  const undo = () => void queue.undo().catch(toasts.failed);
  useShortcut('z', REVIEW.undo, state.last === null ? null : undo);
  const [shown] = state.cases;
  return (
    <div className="review live-data">
      <Progress filter={filter} />
      {/* It is there before its text, so that screen readers say that. */}
      <div className="review-news" role="status">
        {state.unsent > 0 && <p className="notice caution">{REVIEW.unsent({ count: state.unsent })}</p>}
        {state.isTaken && <p className="notice">{REVIEW.taken}</p>}
      </div>
      {state.refused !== null && state.refused.id === shown?.id && (
        <RefusedNotice error={state.refused.error} />
      )}
      {shown === undefined ? (
        <Nothing state={state} filter={filter} retry={() => queue.retry()} />
      ) : (
        <section className="case" aria-label={REVIEW.question}>
          <CasePicture cases={state.cases} name={REVIEW.picture({ camera: cameraName(shown) })} />
          <div className="case-side">
            <CaseFacts shown={shown} />
            <CaseAnswers
              shown={shown}
              draft={drafts[shown.id] ?? shown.plate ?? ''}
              onDraft={(text) => setDrafts({ ...drafts, [shown.id]: text })}
              onAnswer={(answer) => queue.answer(answer)}
            />
          </div>
        </section>
      )}
      {state.last && <LastAnswer last={state.last} undo={undo} />}
    </div>
  );
}

/** The time without a key or the pointer after which the page counts as unused. */
const IDLE_MS = 3 * MINUTE_MS;

function useReviewQueue(filter: { siteId?: string }): { queue: ReviewQueue; state: ReviewState } {
  const [{ queue, seen }] = useState(() => {
    const last = { at: Date.now() };
    const isWatched = () => document.visibilityState === 'visible' && Date.now() - last.at < IDLE_MS;
    return { queue: new ReviewQueue(reviewCalls(filter), isWatched), seen: last };
  });
  const state = useSyncExternalStore(queue.subscribe, queue.state);
  const { dataUpdatedAt } = useQuery(reviewSummaryQuery(filter));

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const see = () => {
      const wasAway = Date.now() - seen.at > IDLE_MS;
      seen.at = Date.now();
      if (wasAway) queue.renew();
    };
    for (const event of ['keydown', 'pointermove', 'pointerdown'])
      document.addEventListener(event, see, { signal });
    window.addEventListener('pagehide', () => queue.stop(), { signal });
    window.addEventListener('pageshow', ({ persisted }) => persisted && queue.start(), { signal });
    window.addEventListener('online', () => queue.retry(), { signal });
    queue.start();
    return () => {
      ending.abort();
      queue.stop();
    };
  }, [queue, seen]);

  // The summary follows the events of review (live/keys-of-event.ts).
  useEffect(() => {
    if (dataUpdatedAt > 0) queue.refresh();
  }, [queue, dataUpdatedAt]);

  const mustWait = state.unsent > 0;
  useEffect(() => {
    if (!mustWait) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [mustWait]);
  return { queue, state };
}

/** How many wait, since when, and how fast the person is. */
function Progress({ filter }: { filter: { siteId?: string } }) {
  const { account } = useSession();
  const timeZone = useTimeZone();
  const { data } = useQuery(reviewSummaryQuery(filter));
  if (data === undefined) return null;
  const own = data.reviewers.find(({ accountId }) => accountId === account.id);
  return (
    <p className="review-progress">
      <strong>{REVIEW.waiting({ count: waitingText(data.waiting) })}</strong>
      {data.oldestOn !== null && (
        <span>
          {REVIEW.oldest} <Moment at={data.oldestOn} timeZone={timeZone} />
        </span>
      )}
      {own && <span>{REVIEW.today({ count: own.today })}</span>}
      {own && own.perMinute > 0 && <span>{REVIEW.perMinute({ count: numberText(own.perMinute) })}</span>}
    </p>
  );
}

function Nothing({
  state,
  filter,
  retry,
}: {
  state: ReviewState;
  filter: { siteId?: string };
  retry: () => void;
}) {
  const { data } = useQuery(reviewSummaryQuery(filter));
  if (state.error) return <Failed error={state.error} retry={retry} />;
  if (!state.isReady) return <Loading lines={6} />;
  const withOthers = data?.waiting ?? 0;
  return (
    <Empty title={REVIEW.empty}>
      {withOthers > 0 && <p>{REVIEW.othersWork({ count: withOthers })}</p>}
      <p>{REVIEW.emptyHint}</p>
      {withOthers > 0 && <p>{REVIEW.skippedHint}</p>}
    </Empty>
  );
}

function cameraName({ camera }: ReviewCase): string {
  return camera.name ?? camera.remoteId;
}

/** The read of the camera, its place and time, and the reason why a person is needed. */
function CaseFacts({ shown }: { shown: ReviewCase }) {
  const nameOfSite = useSiteNames();
  const timeZone = useTimeZone(shown.siteId);
  const { plate, country, characters, causes, plateUrl, url } = shown;
  const doubtful = characters.flatMap(({ doubt }, place) => (doubt > 0 ? [place] : []));
  const doubts = characters
    .filter(({ doubt }) => doubt > 0)
    .map(({ character, others }) =>
      others.length === 0
        ? REVIEW.unsure({ character })
        : REVIEW.mayBe({ character, others: others.join(REVIEW.or) }),
    );
  const text = REVIEW.doubt({ doubts: doubts.join(', ') });
  return (
    <div className="case-facts">
      <div className="case-plate">
        <PlateSign
          large
          plate={plate}
          country={country}
          unread={REVIEW.unread}
          doubtful={{ places: doubtful, text }}
        />
        {plateUrl !== null && url !== null && <img key={plateUrl} src={plateUrl} alt={REVIEW.plate} />}
      </div>
      {doubts.length > 0 && (
        <p className="quiet-text" aria-hidden="true">
          {text}
        </p>
      )}
      <p className="row-acts">
        {[...new Set(causes.map((cause) => REVIEW.causes[cause]))].map((cause) => (
          <Badge key={cause} tone="caution">
            {cause}
          </Badge>
        ))}
      </p>
      <p className="quiet-text">
        {cameraName(shown)} · {nameOfSite(shown.siteId)} ·{' '}
        <Moment at={shown.capturedOn} timeZone={timeZone} />
      </p>
    </div>
  );
}

function LastAnswer({ last, undo }: { last: SentAnswer; undo: () => void }) {
  const { answer, result } = last;
  const needsOffice = result?.outcome === 'for-office';
  const outcome = result === null ? REVIEW.sending : REVIEW.outcomes[result.outcome];
  return (
    <footer className={needsOffice ? 'last-answer notice caution' : 'last-answer notice'}>
      <span role="status">
        {REVIEW.answered}:{' '}
        {answer.answer === 'plate' ? <PlateSign plate={answer.plate} /> : REVIEW[answer.answer]}
        {answer.answer !== 'skip' && ` · ${outcome}`}
        {result !== null && sentencesOf(result).map((sentence) => <small key={sentence}> {sentence}</small>)}
      </span>
      <Button look="quiet" onPress={undo}>
        {COMMON.undo} <kbd>Z</kbd>
      </Button>
    </footer>
  );
}
