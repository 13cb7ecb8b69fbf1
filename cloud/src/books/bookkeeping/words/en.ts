/** What postings are, in files of the books. */
export const ENTRY_WORDS_EN = {
  invoice: 'Invoice',
  'credit-note': 'Credit note',
  payment: 'Payment of invoice',
  claim: 'Claim at the bank',
  settlement: 'Settlement',
  bank: 'Payout of settlement',
};
