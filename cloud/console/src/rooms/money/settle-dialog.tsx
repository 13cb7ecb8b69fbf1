import { useState } from 'react';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { COMMON } from '../../words/common.ts';
import { UNPAID } from './unpaid-words.ts';

type Way = keyof typeof UNPAID.ways;

export interface Settlement {
  paymentStatus: Way;
  reason: string;
}

const WAYS: readonly Way[] = ['kiosk', 'owner-invoice', 'company-invoice', 'whitelisted', 'void'];

/** How visits are settled. What is begun here cannot be taken back, so the button names the number and the amount. */
export function SettleDialog({
  count,
  sums,
  onChosen,
  onClose,
}: {
  count: number;
  sums: string;
  onChosen: (settlement: Settlement) => void;
  onClose: () => void;
}) {
  const [paymentStatus, setWay] = useState<Way>('kiosk');
  const [reason, setReason] = useState('');
  const needsReason = paymentStatus === 'void';
  return (
    <FormDialog
      title={UNPAID.settle(count)}
      submit={UNPAID.settleAmount(count, sums)}
      error={null}
      isBusy={false}
      isReady={!needsReason || reason.trim() !== ''}
      isFinal
      onSubmit={() => onChosen({ paymentStatus, reason: reason.trim() })}
      onClose={onClose}
    >
      <ChoiceField
        label={UNPAID.how}
        value={paymentStatus}
        choices={WAYS.map((way) => [way, UNPAID.ways[way]] as const)}
        hint={UNPAID.effects[paymentStatus]}
        onChange={setWay}
      />
      <TextField label={COMMON.reason} isRequired={needsReason} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
