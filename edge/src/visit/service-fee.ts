import type { VatTerms } from '@hlid/protocol/base/vat';

/** The fee that is paid in addition to a price; 0: none. */
export interface ServiceFee {
  feesMinor: number;
  feesVat: VatTerms;
}

export const NO_FEE: ServiceFee = { feesMinor: 0, feesVat: { vatRate: 0 } };
