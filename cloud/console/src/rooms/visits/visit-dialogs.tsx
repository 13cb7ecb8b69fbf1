import { useState } from 'react';
import { isOperator, useSession } from '../../shell/session.ts';
import { useTimeZones } from '../../shell/site.ts';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { wallText } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { LANGUAGE } from '../../words/words.ts';
import {
  deletePermit,
  joinVisits,
  mailReceipt,
  permitVisit,
  splitVisit,
  VISIT_QUERIES,
  type Visit,
} from './visit-api.ts';
import { plateText } from './visit-shown.tsx';
import { ACT } from './visit-words.ts';

interface Props {
  visit: Visit;
  onClose: () => void;
}

/** Two visits of one in which a car left and came back unseen; joining them again is the undo. */
export function SplitDialog({ visit, onClose }: Props) {
  const { id, siteId } = visit;
  const toasts = useToasts();
  const reload = useReload();
  const [at, setAt] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const split = useSubmit((json: { at: string; reason: string }, headers) => splitVisit(id, json, headers), {
    invalidates: VISIT_QUERIES,
    onDone: (second) => {
      onClose();
      toasts.done(ACT.done.split({ plate: plateText(visit) }), async () => {
        await joinVisits(id, { visitId: second.id, reason: ACT.undone });
        reload(VISIT_QUERIES);
      });
    },
  });
  return (
    <FormDialog
      title={ACT.split}
      submit={ACT.split}
      error={split.error}
      isBusy={split.isPending}
      isReady={at !== null && reason.trim() !== ''}
      onSubmit={() => at !== null && split.mutate({ at, reason })}
      onClose={onClose}
    >
      <p className="hint">{ACT.splitHint}</p>
      <MomentField
        label={ACT.splitAt}
        value={at}
        timeZone={useTimeZones()(siteId)}
        onChange={setAt}
        isRequired
      />
      <TextField label={COMMON.reason} value={reason} onChange={setReason} isRequired />
    </FormDialog>
  );
}

/** A permit: an operator's for this visit alone, a customer's from now to its end. Deleting it is the undo. */
export function PermitDialog({ visit, onClose }: Props) {
  const { id } = visit;
  const plate = plateText(visit);
  const toasts = useToasts();
  const reload = useReload();
  const isWhole = isOperator(useSession());
  const timeZone = useTimeZones()(visit.siteId);
  const [reason, setReason] = useState('');
  const invalidates = [...VISIT_QUERIES, ['permits']];
  const permit = useSubmit((text: string, headers) => permitVisit(id, text, headers), {
    invalidates,
    onDone: (made) => {
      onClose();
      const { type, expireOn } = made;
      const isForVisit = type === 'visit' || expireOn === null;
      const done = isForVisit
        ? ACT.done.permitted({ plate })
        : ACT.done.permittedUntil({ plate, until: wallText(expireOn, timeZone) });
      toasts.done(done, async () => {
        await deletePermit(made.id);
        reload(invalidates);
      });
    },
  });
  return (
    <FormDialog
      title={isWhole ? ACT.permit : ACT.permitAhead}
      submit={isWhole ? ACT.permitSubmit({ plate }) : ACT.permitAheadSubmit({ plate })}
      error={permit.error}
      isBusy={permit.isPending}
      isReady={reason.trim() !== ''}
      onSubmit={() => permit.mutate(reason)}
      onClose={onClose}
    >
      <p className="hint">{isWhole ? ACT.permitHint : ACT.permitAheadHint}</p>
      <TextField label={COMMON.reason} value={reason} onChange={setReason} isRequired autoFocus />
    </FormDialog>
  );
}

export function ReceiptDialog({ visit: { id }, onClose }: Props) {
  const toasts = useToasts();
  const [email, setEmail] = useState('');
  const [language, setLanguage] = useState<'is' | 'en'>(LANGUAGE);
  const mail = useSubmit(
    (json: { email: string; language: 'is' | 'en' }, headers) => mailReceipt(id, json, headers),
    {
      invalidates: [['visit', id], ['mail']],
      onDone: (_, json) => {
        onClose();
        toasts.done(ACT.done.mailed({ email: json.email }));
      },
    },
  );
  return (
    <FormDialog
      title={ACT.receipt}
      submit={email === '' ? ACT.receipt : ACT.receiptTo({ email })}
      error={mail.error}
      isBusy={mail.isPending}
      isReady={email.includes('@')}
      isFinal
      onSubmit={() => mail.mutate({ email, language })}
      onClose={onClose}
    >
      <TextField label={ACT.email} type="email" value={email} onChange={setEmail} isRequired autoFocus />
      <ChoiceField
        label={ACT.language}
        value={language}
        choices={[
          ['is', 'Íslenska'],
          ['en', 'English'],
        ]}
        onChange={setLanguage}
      />
    </FormDialog>
  );
}
