import { netOfLines, type VatPart } from '@hlid/protocol/base/vat';
import type { EInvoice } from './e-invoice.ts';

/** The sums of an electronic invoice, by the names of EN 16931. */
export interface EAmounts {
  /** The net amount of each line (BT-131). */
  lineNets: number[];
  /** The net amount of each discount (BT-92): above zero where it makes the invoice less. */
  discountNets: number[];
  /** BT-106. */
  linesMinor: number;
  /** BT-107. */
  discountsMinor: number;
  /** BT-109. */
  netMinor: number;
  /** BT-110. */
  vatMinor: number;
  /** BT-112. */
  grossMinor: number;
  /** BT-115. */
  payableMinor: number;
}

/**
 * The sums of an electronic invoice. Each net amount is a share of the net amount of its VAT part, so that all of them
 * add up exactly (BR-CO-10, BR-CO-13 to 16), and each part is within a unit of base times rate (BR-CO-17).
 */
export function eAmounts({ lines, discounts, vat, paidMinor }: EInvoice): EAmounts {
  const nets = netOfLines([...lines, ...discounts], vat);
  const lineNets = nets.slice(0, lines.length);
  // Nothing less something: minus zero is another zero.
  const discountNets = nets.slice(lines.length).map((net) => 0 - net);
  const linesMinor = sum(lineNets);
  const discountsMinor = sum(discountNets);
  const netMinor = linesMinor - discountsMinor;
  const vatMinor = sum(vat.map((part) => part.vatMinor));
  const grossMinor = netMinor + vatMinor;
  const payableMinor = grossMinor - paidMinor;
  return { lineNets, discountNets, linesMinor, discountsMinor, netMinor, vatMinor, grossMinor, payableMinor };
}

/** The parts of a credit note are stored below zero, and stand above zero in the document. */
export function negatedParts(parts: readonly VatPart[]): VatPart[] {
  return parts.map((part) => ({ ...part, netMinor: 0 - part.netMinor, vatMinor: 0 - part.vatMinor }));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
