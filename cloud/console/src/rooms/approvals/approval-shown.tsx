import { Badge, type Tone } from '@hlid/ui/badge';
import { useAddress } from '../../shell/room-address.ts';
import { Money, moneyText } from '../../ui/money.tsx';
import { dayText } from '../../ui/wall-text.ts';
import type { Approval } from './approval-api.ts';
import { APPROVAL } from './approval-words.ts';

const TONES: Record<Approval['state'], Tone> = {
  waiting: 'caution',
  done: 'positive',
  refused: 'negative',
  withdrawn: 'neutral',
  expired: 'neutral',
  failed: 'negative',
};

export function ApprovalState({ state }: Pick<Approval, 'state'>) {
  return <Badge tone={TONES[state]}>{APPROVAL.states[state]}</Badge>;
}

export function ApprovalAmount({ price }: Pick<Approval, 'price'>) {
  return price === null ? '–' : <Money amountMinor={price.amount} currency={price.currency} />;
}

export function amountTextOf({ price }: Pick<Approval, 'price'>): string | null {
  return price && moneyText({ amountMinor: price.amount, currency: price.currency });
}

/** The act and its object: `Refund, Invoice no. 12`. */
export function approvalText(approval: Approval): string {
  return `${APPROVAL.kinds[approval.kind]}: ${subjectText(approval)}`;
}

export function subjectText({ kind, plate, visitId, invoiceNumber, reason }: Approval): string {
  if (kind === 'day-close') return dayText(reason);
  if (kind === 'limits') return APPROVAL.limits;
  if (kind === 'reversal') return plate === null ? APPROVAL.payment : `${APPROVAL.payment}, ${plate}`;
  if (kind === 'waiver' || kind === 'dispute' || (invoiceNumber === null && visitId !== null)) {
    return APPROVAL.stay({ plate: plate ?? APPROVAL.noPlate });
  }
  return APPROVAL.invoice({ number: invoiceNumber });
}

/** The address of what a request is about; null: it is about a site. */
export function useSubjectAddress({
  kind,
  visitId,
  invoiceId,
  paymentId,
  disputeId,
  requested,
}: Approval): string | null {
  const addressOf = useAddress();
  const closeId = requested['closeId'];
  if (kind === 'day-close' && typeof closeId === 'string') return addressOf(`money/closes/${closeId}`);
  if (kind === 'reversal' && paymentId !== null) return addressOf(`money/payments/${paymentId}`);
  if (kind !== 'waiver' && disputeId === null && invoiceId !== null) {
    return addressOf(`money/invoices/${invoiceId}`);
  }
  return visitId === null ? null : addressOf(`visits/${visitId}`);
}

export function whoText({ isOwn, requestedBy }: Pick<Approval, 'isOwn' | 'requestedBy'>): string {
  return isOwn ? APPROVAL.you : (requestedBy ?? APPROVAL.somebody);
}
