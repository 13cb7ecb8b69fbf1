import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { openProposalsQuery } from '../../shell/badges.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteFilter, useSiteNames, useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { moneyText } from '../../ui/money.tsx';
import { Picture } from '../../ui/picture.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  type JudgeProposal,
  judgeProposal,
  type MatchProposal,
  settledProposalsQuery,
} from './match-calls.ts';
import { oddsText } from './review-numbers.ts';
import { MATCHES } from './review-words.ts';
import './matches.css';

const STALE = [['review'], ['visits'], ['visit'], ['photos']];

/** Pairs of an open visit and an exit that may be one car, one after the other, and those that were settled without a person. */
export function MatchesTab() {
  const filter = useSiteFilter();
  return <Matches key={filter.siteId ?? ''} filter={filter} />;
}

function Matches({ filter }: { filter: { siteId?: string } }) {
  const open = useQuery(openProposalsQuery(filter));
  const settled = useQuery(settledProposalsQuery(filter));
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [last, setLast] = useState<MatchProposal | null>(null);
  const toasts = useToasts();
  const judge = useSubmit(
    ({ id, act }: { id: string; act: JudgeProposal }, headers) => judgeProposal(id, act, headers),
    {
      invalidates: STALE,
      onDone: (pair, { act }) => {
        setLast(act === 'undo' ? null : pair);
        toasts.done(MATCHES.done[act]);
      },
    },
  );
  const act = (pair: MatchProposal, what: JudgeProposal) => {
    if (judge.isPending) return;
    judge.mutate({ id: pair.id, act: what }, { onError: toasts.failed });
  };
  useShortcut('z', MATCHES.undo, last === null ? null : () => act(last, 'undo'));
  return (
    <div className="review live-data">
      <QueryView query={open} lines={8}>
        {({ data, total }) => {
          const [shown] = data.filter(({ id }) => !skipped.includes(id));
          return shown === undefined ? (
            <Empty title={MATCHES.empty}>
              <p>{MATCHES.emptyHint}</p>
              {total > 0 && (
                <Button onPress={() => setSkipped([])}>{MATCHES.showSkipped({ count: total })}</Button>
              )}
            </Empty>
          ) : (
            <Pair
              key={shown.id}
              pair={shown}
              waiting={total}
              isBusy={judge.isPending}
              onJudge={(what) => act(shown, what)}
              onSkip={() => setSkipped([...skipped, shown.id])}
            />
          );
        }}
      </QueryView>
      {last && (
        <footer className="last-answer notice">
          <span>{MATCHES.states[last.state]}</span>
          <Button look="quiet" isDisabled={judge.isPending} onPress={() => act(last, 'undo')}>
            {COMMON.undo} <kbd>Z</kbd>
          </Button>
        </footer>
      )}
      <Settled
        pairs={settled.data?.data ?? []}
        isBusy={judge.isPending}
        onUndo={(pair) => act(pair, 'undo')}
      />
    </div>
  );
}

function Pair({
  pair,
  waiting,
  isBusy,
  onJudge,
  onSkip,
}: {
  pair: MatchProposal;
  waiting: number;
  isBusy: boolean;
  onJudge: (act: 'accept' | 'reject') => void;
  onSkip: () => void;
}) {
  const nameOfSite = useSiteNames();
  useShortcut('a', MATCHES.accept, () => onJudge('accept'));
  useShortcut('n', MATCHES.reject, () => onJudge('reject'));
  useShortcut('s', MATCHES.skip, onSkip);
  return (
    <section className="match" aria-label={MATCHES.question}>
      <p className="review-progress">
        <strong>{MATCHES.waiting({ count: waiting })}</strong>
        <span>{nameOfSite(pair.siteId)}</span>
      </p>
      <h2>{MATCHES.question}</h2>
      <div className="match-cars">
        <Car pair={pair} side="entry" />
        <Car pair={pair} side="exit" />
      </div>
      <PairFacts pair={pair} />
      <div className="row-acts">
        <Button look="primary" isDisabled={isBusy} onPress={() => onJudge('accept')}>
          {MATCHES.accept} <kbd>A</kbd>
        </Button>
        <Button isDisabled={isBusy} onPress={() => onJudge('reject')}>
          {MATCHES.reject} <kbd>N</kbd>
        </Button>
        <Button look="quiet" onPress={onSkip}>
          {MATCHES.skip} <kbd>S</kbd>
        </Button>
      </div>
    </section>
  );
}

/** One of the two pictures, with its plate: the characters that the other one does not have are marked. */
function Car({ pair, side }: { pair: MatchProposal; side: 'entry' | 'exit' }) {
  const timeZone = useTimeZone(pair.siteId);
  const isEntry = side === 'entry';
  const picture = pair[side];
  const plate = isEntry ? pair.visitPlate : (picture?.plate ?? null);
  const on = isEntry ? pair.startedOn : pair.exitOn;
  return (
    <figure className="match-car">
      <figcaption>
        <strong>{MATCHES[side]}</strong>
        {picture && <span>{picture.camera}</span>}
        {on !== null && <Moment at={on} timeZone={timeZone} isExact />}
      </figcaption>
      <Picture
        key={pair.id}
        src={picture?.url ?? picture?.plateUrl ?? null}
        name={`${MATCHES[side]} ${plate ?? ''}`}
        size="large"
      />
      <PlateSign large plate={plate} unread={MATCHES.noPlate} doubtful={differing(pair, side)} />
    </figure>
  );
}

/** The places of a plate at which the other one has something else. */
function differing({ characters }: MatchProposal, side: 'entry' | 'exit') {
  const own = characters.filter((pair) => pair[side] !== '');
  const places = own.flatMap(({ entry, exit }, place) => (entry === exit ? [] : [place]));
  const others = characters.filter(({ entry, exit }) => entry !== exit);
  const text = others.map(({ entry, exit }) => `${entry || '–'} / ${exit || '–'}`).join(', ');
  return { places, text: MATCHES.differs({ characters: text }) };
}

function PairFacts({ pair }: { pair: MatchProposal }) {
  const timeZone = useTimeZone(pair.siteId);
  const { probability, second, cost, characters } = pair;
  const areEqual = characters.every(({ entry, exit }) => entry === exit);
  return (
    <Details
      rows={[
        [MATCHES.probability, `${oddsText(probability)} · ${MATCHES.odds[oddsWord(probability)]}`],
        [
          MATCHES.second,
          second && (
            <>
              <PlateSign plate={second.plate} unread={MATCHES.noPlate} />{' '}
              {second.on !== null && <Moment at={second.on} timeZone={timeZone} isExact />}{' '}
              {oddsText(second.probability)}
            </>
          ),
        ],
        [MATCHES.cost, cost && moneyText({ amountMinor: cost.amount, currency: cost.currency })],
        [MATCHES.plates, areEqual ? MATCHES.equal : MATCHES.askedNext],
      ]}
    />
  );
}

function oddsWord(probability: number): keyof typeof MATCHES.odds {
  if (probability >= 0.99) return 'certain';
  if (probability >= 0.9) return 'veryLikely';
  if (probability >= 0.6) return 'likely';
  return probability >= 0.3 ? 'possible' : 'unlikely';
}

function Settled({
  pairs,
  isBusy,
  onUndo,
}: {
  pairs: readonly MatchProposal[];
  isBusy: boolean;
  onUndo: (pair: MatchProposal) => void;
}) {
  if (pairs.length === 0) return null;
  return (
    <section className="form">
      <h2>{MATCHES.settled}</h2>
      <p className="quiet-text">{MATCHES.settledHint}</p>
      <DataTable
        label={MATCHES.settled}
        rows={pairs}
        idOf={({ id }) => id}
        columns={[
          {
            id: 'entry',
            title: MATCHES.entry,
            cell: (pair) => <PlateSign plate={pair.visitPlate} unread="–" />,
          },
          {
            id: 'exit',
            title: MATCHES.exit,
            cell: (pair) => <PlateSign plate={pair.exit?.plate ?? null} unread="–" />,
          },
          { id: 'on', title: MATCHES.on, isWide: true, cell: (pair) => <ExitTime pair={pair} /> },
          {
            id: 'probability',
            title: MATCHES.probability,
            isNumber: true,
            cell: ({ probability }) => oddsText(probability),
          },
          {
            id: 'undo',
            title: COMMON.undo,
            cell: (pair) => (
              <Button look="quiet" isDisabled={isBusy} onPress={() => onUndo(pair)}>
                {MATCHES.undoOf({ plate: pair.visitPlate ?? '' })}
              </Button>
            ),
          },
        ]}
      />
    </section>
  );
}

function ExitTime({ pair: { exitOn, siteId } }: { pair: MatchProposal }) {
  const timeZone = useTimeZone(siteId);
  return exitOn === null ? null : <Moment at={exitOn} timeZone={timeZone} />;
}
