import {
  DAYS_AFTER_WARNING,
  MAX_LETTER_CHARGE,
  MAX_LETTERS,
  MAX_WARNING_CHARGE,
} from '@hlid/protocol/records/collection-law';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { CheckField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { REMINDER, type ReminderTerms, reminderApi } from './claim-calls.ts';

const MAX_DAYS = 90;

/** How a site reminds of unpaid invoices, within the law. */
export function ReminderTermsDialog({
  siteId,
  name,
  terms,
  onClose,
}: {
  siteId: string;
  name: string;
  terms: ReminderTerms;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const { fromDay: _from, ...before } = terms;
  const [draft, setDraft] = useState(before);
  const save = useSubmit(
    (json: typeof draft, headers) =>
      read(reminderApi.sites[':id'].reminders.$post({ param: { id: siteId }, json }, { headers })),
    {
      invalidates: [['reminders']],
      onDone: () => {
        toasts.done(REMINDER.saved);
        onClose();
      },
    },
  );
  const isWhole = Object.values(draft).every((value) => !Number.isNaN(value));
  const field = (
    key: Exclude<keyof typeof draft, 'isOn'>,
    limits: { min: number; max: number },
    hint?: string,
  ) => (
    <NumberField
      label={REMINDER[key]}
      hint={hint}
      name={key}
      value={draft[key]}
      minValue={limits.min}
      maxValue={limits.max}
      isRequired
      onChange={(value) => setDraft((now) => ({ ...now, [key]: value }))}
    />
  );
  return (
    <FormDialog
      title={REMINDER.settings({ site: name })}
      submit={REMINDER.save}
      error={save.error}
      isBusy={save.isPending}
      isReady={isWhole}
      onSubmit={() => save.mutate(draft)}
      onClose={onClose}
    >
      <p>{REMINDER.settingsHint}</p>
      <CheckField
        label={REMINDER.isOn}
        isSelected={draft.isOn}
        onChange={(isOn) => setDraft((now) => ({ ...now, isOn }))}
      />
      {field('warningDays', { min: 1, max: MAX_DAYS })}
      {field('warningCharge', { min: 0, max: MAX_WARNING_CHARGE })}
      {field('letters', { min: 0, max: MAX_LETTERS })}
      {field('letterDays', { min: DAYS_AFTER_WARNING, max: MAX_DAYS })}
      {field('letterCharge', { min: 0, max: MAX_LETTER_CHARGE }, REMINDER.letterChargeHint)}
    </FormDialog>
  );
}
