import { Badge, type Tone } from '@hlid/ui/badge';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { read } from '../../../calls/api.ts';
import { useAddress } from '../../../shell/room-address.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { dayText } from '../../../ui/wall-text.ts';
import {
  CLOSE,
  CLOSE_QUERIES,
  closeApi,
  type Difference,
  type Kind,
  type WholeClose,
} from './close-calls.ts';
import { RowLinks } from './close-tables.tsx';

type Deciding = 'accepted' | 'written-off' | 'task' | 'done';

const TONES: Record<Difference['decision'], Tone> = {
  open: 'caution',
  accepted: 'positive',
  'written-off': 'neutral',
  task: 'caution',
  done: 'positive',
};

/** The differences of a close by class, each with its rows, what to do about it, and what was decided. */
export function Differences({ close }: { close: WholeClose }) {
  const [deciding, setDeciding] = useState<{ how: Deciding; chosen: Difference[] } | null>(null);
  const kinds = [...new Set(close.differences.map(({ kind }) => kind))];
  const decide = (how: Deciding, chosen: Difference[]) => setDeciding({ how, chosen });
  return (
    <section aria-label={CLOSE.differences}>
      <h2>{CLOSE.differences}</h2>
      {kinds.length === 0 && <p>{CLOSE.agrees}</p>}
      {kinds.map((kind) => (
        <Group
          key={kind}
          kind={kind}
          all={close.differences.filter((one) => one.kind === kind)}
          close={close}
          decide={decide}
        />
      ))}
      {deciding !== null && (
        <DecideDialog
          close={close}
          how={deciding.how}
          chosen={deciding.chosen}
          onClose={() => setDeciding(null)}
        />
      )}
    </section>
  );
}

interface GroupProps {
  kind: Kind;
  all: Difference[];
  close: WholeClose;
  decide: (how: Deciding, chosen: Difference[]) => void;
}

function Group({ kind, all, close, decide }: GroupProps) {
  const { title, advice } = CLOSE.kinds[kind];
  const open = all.filter(({ decision }) => decision === 'open');
  const mayDecide = close.actions.includes('decide');
  return (
    <section className="card close-kind" aria-label={title}>
      <h3>{title}</h3>
      <p className="hint">{advice}</p>
      {mayDecide && open.length > 1 && (
        <div className="row-acts">
          <Button onPress={() => decide('accepted', open)}>{CLOSE.acceptAll({ count: open.length })}</Button>
          <Button onPress={() => decide('written-off', open)}>
            {CLOSE.writeOffAll({ count: open.length })}
          </Button>
        </div>
      )}
      <ul className="close-differences">
        {all.map((one) => (
          <li key={one.n}>
            <OneDifference difference={one} mayDecide={mayDecide} decide={decide} closeId={close.id} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneDifference({
  difference,
  mayDecide,
  decide,
  closeId,
}: {
  difference: Difference;
  mayDecide: boolean;
  decide: GroupProps['decide'];
  closeId: string;
}) {
  const { n, amount, currency, rows, decision, reason, answer, assignee, decidedBy, ofClose, cause } =
    difference;
  const addressOf = useAddress();
  const reopen = useSubmit(
    (_: null, headers) =>
      read(
        closeApi['day-closes'][':id'].decisions.$post(
          { param: { id: closeId }, json: { decision: 'open', differences: [n] } },
          { headers },
        ),
      ),
    { invalidates: CLOSE_QUERIES },
  );
  return (
    <div className="close-difference">
      <div className="close-difference-head">
        <strong>
          <Money amountMinor={amount} currency={currency} />
        </strong>
        <Badge tone={TONES[decision]}>{CLOSE.decisions[decision]}</Badge>
        {ofClose !== null && (
          <Link to={addressOf(`money/closes/${ofClose.id}`)}>
            {CLOSE.ofDay({ day: dayText(ofClose.day) })}
          </Link>
        )}
        {cause !== null && <span>{CLOSE.kinds[cause].title}</span>}
      </div>
      <RowLinks rows={rows} />
      {reason !== null && (
        <p>
          {decision === 'task' || decision === 'done'
            ? CLOSE.askedOf({ who: assignee ?? CLOSE.unknownPerson, what: reason })
            : CLOSE.because({ who: decidedBy ?? CLOSE.unknownPerson, why: reason })}
        </p>
      )}
      {answer !== null && <p>{CLOSE.answered({ who: assignee ?? CLOSE.unknownPerson, what: answer })}</p>}
      {mayDecide && (
        <div className="row-acts">
          {decision === 'open' ? (
            <>
              <Button onPress={() => decide('accepted', [difference])}>{CLOSE.accept}</Button>
              <Button onPress={() => decide('written-off', [difference])}>{CLOSE.writeOff}</Button>
              <Button onPress={() => decide('task', [difference])}>{CLOSE.assign}</Button>
            </>
          ) : (
            <>
              {decision === 'task' && (
                <Button onPress={() => decide('done', [difference])}>{CLOSE.answer}</Button>
              )}
              <Button onPress={() => reopen.mutate(null)} isPending={reopen.isPending}>
                {CLOSE.reopen}
              </Button>
            </>
          )}
        </div>
      )}
    </div>
  );
}

function DecideDialog({
  close: { id, people },
  how,
  chosen,
  onClose,
}: {
  close: WholeClose;
  how: Deciding;
  chosen: readonly Difference[];
  onClose: () => void;
}) {
  const toasts = useToasts();
  const [text, setText] = useState('');
  const [assigneeId, setAssignee] = useState(people[0]?.id ?? '');
  const differences = chosen.map(({ n }) => n);
  const send = useSubmit(
    (reason: string, headers) =>
      read(
        closeApi['day-closes'][':id'].decisions.$post(
          { param: { id }, json: bodyOf(how, differences, reason, assigneeId) },
          { headers },
        ),
      ),
    {
      invalidates: CLOSE_QUERIES,
      onDone: () => {
        toasts.done(CLOSE.decided[how]);
        onClose();
      },
    },
  );
  const [first] = chosen;
  return (
    <FormDialog
      title={first === undefined ? CLOSE.differences : CLOSE.kinds[first.kind].title}
      submit={CLOSE.submits[how]}
      error={send.error}
      isBusy={send.isPending}
      isReady={text.trim() !== ''}
      onSubmit={() => send.mutate(text.trim())}
      onClose={onClose}
    >
      {chosen.length > 1 ? (
        <p>{CLOSE.countOf({ count: chosen.length })}</p>
      ) : (
        first !== undefined && (
          <p>
            <Money amountMinor={first.amount} currency={first.currency} />
          </p>
        )
      )}
      {how === 'task' && (
        <ChoiceField
          label={CLOSE.assignee}
          name="assigneeId"
          value={assigneeId}
          choices={people.map((person) => [person.id, person.name] as const)}
          onChange={setAssignee}
        />
      )}
      <TextField
        label={CLOSE.texts[how]}
        name={how === 'done' ? 'answer' : 'reason'}
        rows={2}
        isRequired
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
}

function bodyOf(how: Deciding, differences: number[], text: string, assigneeId: string) {
  switch (how) {
    case 'accepted':
    case 'written-off':
      return { decision: how, differences, reason: text };
    case 'task':
      return { decision: how, differences, reason: text, assigneeId };
    case 'done':
      return { decision: how, differences, answer: text };
    default:
      return how satisfies never;
  }
}
