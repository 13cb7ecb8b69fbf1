import type { PaidWith } from '@hlid/protocol/records/visit';
import { CODES } from '../words/codes.ts';
import { COMMON } from '../words/common.ts';
import { wordsOf } from '../words/words.ts';
import { ChoiceField, TextField } from './field.tsx';

const WORDS = wordsOf('settleFields');

type SettleWay = keyof typeof WORDS.ways;

/** How a visit is settled, and why. */
export interface Settlement {
  paymentStatus: SettleWay;
  /** The means of payment; null: not chosen yet. */
  paidWith: PaidWith | null;
  reason: string;
}

export const UNSETTLED: Settlement = { paymentStatus: 'kiosk', paidWith: null, reason: '' };

/** The edit of a visit that a settlement makes. */
export function settlementEdit({ paymentStatus, paidWith, reason }: Settlement) {
  return {
    paymentStatus,
    ...(paymentStatus === 'kiosk' && paidWith !== null && { paidWith }),
    ...(reason.trim() !== '' && { reason: reason.trim() }),
  };
}

const PAID_WITH: readonly PaidWith[] = ['cash', 'transfer', 'other-card', 'other'];

const WAYS: readonly SettleWay[] = ['kiosk', 'owner-invoice', 'company-invoice', 'whitelisted', 'void'];

/** The settlement gives money up: it needs the confirmations of a refund. */
export function isGivenUp({ paymentStatus }: Settlement): boolean {
  return paymentStatus === 'void' || paymentStatus === 'whitelisted';
}

export function isSettlementComplete(settlement: Settlement): boolean {
  if (settlement.paymentStatus === 'kiosk') return settlement.paidWith !== null;
  return !isGivenUp(settlement) || settlement.reason.trim() !== '';
}

export function SettleFields({
  value,
  onChange,
}: {
  value: Settlement;
  onChange: (value: Settlement) => void;
}) {
  return (
    <>
      <ChoiceField
        label={WORDS.how}
        value={value.paymentStatus}
        choices={WAYS.map((way) => [way, WORDS.ways[way]] as const)}
        hint={WORDS.effects[value.paymentStatus]}
        onChange={(paymentStatus) => onChange({ ...value, paymentStatus })}
      />
      {value.paymentStatus === 'kiosk' && (
        <ChoiceField
          label={WORDS.paidWith}
          value={value.paidWith ?? ''}
          choices={[['', WORDS.choose], ...PAID_WITH.map((way) => [way, CODES.paymentWay[way]] as const)]}
          onChange={(way) => onChange({ ...value, paidWith: way === '' ? null : way })}
        />
      )}
      <TextField
        label={COMMON.reason}
        isRequired={isGivenUp(value)}
        value={value.reason}
        onChange={(reason) => onChange({ ...value, reason })}
      />
    </>
  );
}
