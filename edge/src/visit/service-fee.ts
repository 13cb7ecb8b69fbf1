import type { VatTerms } from '@hlid/protocol/base/vat';

/** What is paid in addition to a price; 0: nothing. */
export interface ServiceFee {
  feesMinor: number;
  feesVat: VatTerms;
}

export const NO_FEE: ServiceFee = { feesMinor: 0, feesVat: { vatRate: 0 } };
