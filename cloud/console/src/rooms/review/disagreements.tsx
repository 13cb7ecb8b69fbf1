import { normalisePlate } from '@hlid/protocol/plate/plate';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useState } from 'react';
import type { ReviewSummary } from '../../shell/badges.ts';
import { useSiteNames, useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { type ReviewAnswer, reviewCalls } from './review-calls.ts';
import { QUALITY, REVIEW } from './review-words.ts';

type Disagreement = ReviewSummary['disagreements'][number];

/** Pictures that two people see differently, for a third answer. */
export function Disagreements({
  disagreements,
  reviewers,
}: Pick<ReviewSummary, 'disagreements' | 'reviewers'>) {
  const [open, setOpen] = useState<Disagreement | null>(null);
  const nameOfSite = useSiteNames();
  const nameOf = (id: string) => reviewers.find(({ accountId }) => accountId === id)?.name ?? id;
  const said = ({ plate, accountId }: Disagreement['first']) => (
    <>
      <PlateSign plate={plate} unread={QUALITY.noPlate} />{' '}
      <span className="quiet-text">{nameOf(accountId)}</span>
    </>
  );
  return (
    <section className="form">
      <h2>{QUALITY.disagreements}</h2>
      {disagreements.length === 0 ? (
        <p className="quiet-text">{QUALITY.noDisagreements}</p>
      ) : (
        <>
          <p className="quiet-text">{QUALITY.disagreementsHint}</p>
          <DataTable
            label={QUALITY.disagreements}
            rows={disagreements}
            idOf={({ id }) => id}
            onOpen={setOpen}
            columns={[
              { id: 'first', title: QUALITY.first, cell: ({ first }) => said(first) },
              { id: 'second', title: QUALITY.second, cell: ({ second }) => said(second) },
              { id: 'site', title: QUALITY.site, isWide: true, cell: ({ siteId }) => nameOfSite(siteId) },
              { id: 'when', title: QUALITY.when, cell: (one) => <When of={one} /> },
            ]}
          />
        </>
      )}
      {open && <DecideDialog of={open} onClose={() => setOpen(null)} />}
    </section>
  );
}

function When({ of: { second, siteId } }: { of: Disagreement }) {
  return <Moment at={second.on} timeZone={useTimeZone(siteId)} />;
}

const calls = reviewCalls({});
const OLD = [['review'], ['photos'], ['visits']];

function DecideDialog({ of: { id, first, second }, onClose }: { of: Disagreement; onClose: () => void }) {
  const toasts = useToasts();
  const reload = useReload();
  const [draft, setDraft] = useState('');
  const undo = async () => {
    await calls.undo(id);
    reload(OLD);
  };
  const decide = useSubmit(
    (answer: ReviewAnswer, headers) => calls.answer(id, answer, headers['Idempotency-Key'] ?? ''),
    {
      invalidates: OLD,
      onDone: (_, answer) => {
        toasts.done(
          QUALITY.decided({ plate: answer.answer === 'plate' ? answer.plate : QUALITY.noPlate }),
          undo,
        );
        onClose();
      },
    },
  );
  const plates = [...new Set([first.plate, second.plate])].filter((plate) => plate !== null);
  return (
    <FormDialog
      title={QUALITY.decide}
      submit={REVIEW.savePlate({ plate: draft })}
      error={decide.error}
      isBusy={decide.isPending}
      isReady={draft !== ''}
      onSubmit={() => decide.mutate({ answer: 'plate', plate: draft })}
      onClose={onClose}
    >
      <PhotoPicture photoId={id} name={QUALITY.picture} size="large" />
      <div className="row-acts">
        {plates.map((plate) => (
          <Button key={plate} onPress={() => decide.mutate({ answer: 'plate', plate })}>
            {QUALITY.shows({ plate })}
          </Button>
        ))}
        <Button onPress={() => decide.mutate({ answer: 'none' })}>{REVIEW.none}</Button>
      </div>
      <TextField
        label={QUALITY.another}
        value={draft}
        onChange={(text) => setDraft(normalisePlate(text))}
        autoComplete="off"
      />
    </FormDialog>
  );
}
