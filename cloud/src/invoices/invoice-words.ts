/** A company’s name often ends in an abbreviation: `ehf.` */
const ended = (name: string) => (name.endsWith('.') ? name : `${name}.`);

/** Of an invoice as a page and by mail. */
export const INVOICE_WORDS = {
  is: {
    title: 'Reikningur',
    draft: 'Drög – reikningurinn hefur ekki verið gefinn út',
    languages: 'Tungumál',
    print: 'Prenta eða vista sem PDF',
    statuses: {
      draft: 'Ógreiddur',
      paid: 'Greiddur',
      refunded: 'Endurgreiddur',
      failed: 'Greiðsla mistókst',
      incomplete: 'Beðið er staðfestingar á greiðslu',
    },
    issued: 'Útgefinn',
    refunded: 'Endurgreiddur',
    period: 'Tímabil',
    payer: 'Greiðandi',
    paidBy: 'Greitt með',
    card: 'Kort',
    what: 'Skýring',
    amount: 'Upphæð',
    net: 'Án virðisaukaskatts',
    address: 'Heimilisfang',
    stay: (site: string, from: string, to: string | null) => `${site}: ${from} – ${to ?? 'enn á stæðinu'}`,
    subject: (number: number) => `Reikningur nr. ${number}`,
    greeting: (name: string | null) => (name === null ? 'Góðan dag.' : `Góðan dag, ${ended(name)}`),
    about: (number: number, from: string, to: string) =>
      from === to
        ? `Þetta er reikningur nr. ${number} fyrir bílastæði ${from}.`
        : `Þetta er reikningur nr. ${number} fyrir bílastæði frá ${from} til ${to}.`,
    ssn: 'Kennitala greiðanda',
    visit: 'Dvöl',
    more: (n: number) => `… og ${n} til viðbótar`,
    fee: (plate: string, notice: string | undefined) =>
      `Gjald vegna ${plate}${notice === undefined ? '' : `, tilkynning afhent ${notice}`}`,
    discount: 'Afsláttur',
    total: 'Samtals',
    vat: 'Þar af virðisaukaskattur',
    paid: 'Ekkert er ógreitt.',
    dueOn: 'Greiðist í síðasta lagi',
    seller: 'Seljandi',
    sellerSsn: 'Kennitala seljanda',
    vatNumber: 'VSK-númer',
  },
  en: {
    title: 'Invoice',
    draft: 'Draft – this invoice has not been issued',
    languages: 'Language',
    print: 'Print or save as PDF',
    statuses: {
      draft: 'Not paid',
      paid: 'Paid',
      refunded: 'Refunded',
      failed: 'The payment failed',
      incomplete: 'Waiting for the payment to be confirmed',
    },
    issued: 'Issued',
    refunded: 'Refunded',
    period: 'Period',
    payer: 'Payer',
    paidBy: 'Paid by',
    card: 'Card',
    what: 'Description',
    amount: 'Amount',
    net: 'Without VAT',
    address: 'Address',
    stay: (site: string, from: string, to: string | null) => `${site}: ${from} – ${to ?? 'still parked'}`,
    subject: (number: number) => `Invoice no. ${number}`,
    greeting: (name: string | null) => (name === null ? 'Hello.' : `Dear ${name},`),
    about: (number: number, from: string, to: string) =>
      from === to
        ? `This is invoice no. ${number} for parking on ${from}.`
        : `This is invoice no. ${number} for parking from ${from} to ${to}.`,
    ssn: 'Payer’s national ID',
    visit: 'Stay',
    more: (n: number) => `… and ${n} more`,
    fee: (plate: string, notice: string | undefined) =>
      `Fee for ${plate}${notice === undefined ? '' : `, notice delivered on ${notice}`}`,
    discount: 'Discount',
    total: 'Total',
    vat: 'VAT included',
    paid: 'Nothing is left to pay.',
    dueOn: 'To be paid no later than',
    seller: 'Seller',
    sellerSsn: 'Seller’s national ID',
    vatNumber: 'VAT number',
  },
} as const;
