import type { PaidWith } from '@hlid/protocol/records/visit';
import { PAYMENT_WAY_WORDS } from '@hlid/protocol/words/payment-way-words';
import { COMMON } from '../words/common.ts';
import { LANGUAGE, wordsIn } from '../words/words.ts';
import { ChoiceField, TextField } from './field.tsx';

const WORDS = wordsIn(
  {
    how: 'How',
    choose: 'Choose …',
    paidWith: 'Received as',
    ways: {
      kiosk: 'Paid: the money was received',
      'owner-invoice': 'Invoice to the owner of the vehicle',
      'company-invoice': 'Invoice to the customer of the visit',
      whitelisted: 'Free: a permit was meant',
      void: 'Void: nobody has to pay',
    },
    effects: {
      kiosk:
        'The visit is settled in full and gets a paid invoice, which names how the money was received. It counts as income.',
      'owner-invoice':
        'The visit gets an invoice to the registered owner. It waits for a payer where the register names none.',
      'company-invoice':
        'The amount goes to the next collective invoice of its customer. Without a customer, the invoice waits for a payer.',
      whitelisted: 'The amount is given up, as with a permit.',
      void: 'The amount is given up, and a visit that is still inside ends. The reason is stored.',
    },
  },
  {
    how: 'Hvernig',
    choose: 'Veldu …',
    paidWith: 'Móttekið sem',
    ways: {
      kiosk: 'Greitt: féð er komið',
      'owner-invoice': 'Reikningur á eiganda ökutækis',
      'company-invoice': 'Reikningur á viðskiptavin dvalar',
      whitelisted: 'Frítt: heimild átti að gilda',
      void: 'Fellt niður: enginn þarf að greiða',
    },
    effects: {
      kiosk:
        'Dvölin er gerð upp að fullu og fær greiddan reikning sem segir hvernig greitt var. Upphæðin telst til tekna.',
      'owner-invoice':
        'Dvölin fær reikning á skráðan eiganda. Hann bíður greiðanda ef enginn finnst í skránni.',
      'company-invoice':
        'Upphæðin fer á næsta safnreikning viðskiptavinarins. Án viðskiptavinar bíður reikningurinn greiðanda.',
      whitelisted: 'Upphæðin er gefin eftir, eins og með heimild.',
      void: 'Upphæðin er gefin eftir og dvöl bíls sem er inni lýkur. Ástæðan geymist.',
    },
  },
);

type SettleWay = keyof typeof WORDS.ways;

/** How a visit is settled, and why. */
export interface Settlement {
  paymentStatus: SettleWay;
  /** The means of payment; null: not chosen yet. */
  paidWith: PaidWith | null;
  reason: string;
}

export const UNSETTLED: Settlement = { paymentStatus: 'kiosk', paidWith: null, reason: '' };

/** What a settlement changes of a visit. */
export function settlementEdit({ paymentStatus, paidWith, reason }: Settlement) {
  return {
    paymentStatus,
    ...(paymentStatus === 'kiosk' && paidWith !== null && { paidWith }),
    ...(reason.trim() !== '' && { reason: reason.trim() }),
  };
}

const PAID_WITH: readonly PaidWith[] = ['cash', 'transfer', 'other-card', 'other'];

const WAYS: readonly SettleWay[] = ['kiosk', 'owner-invoice', 'company-invoice', 'whitelisted', 'void'];

/** What is given up: it has the brakes of a refund. */
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
          choices={[
            ['', WORDS.choose],
            ...PAID_WITH.map((way) => [way, PAYMENT_WAY_WORDS[LANGUAGE][way]] as const),
          ]}
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
