import { wordsIn } from '../../words/words.ts';

/** Words about visits that owe something, and how they are settled. */
export const UNPAID = wordsIn(
  {
    empty: 'Nothing is unpaid',
    emptyHint: 'Visits come here while they owe something: cars inside, and cars that left without paying.',
    emptyFiltered: 'No unpaid visit fits these filters.',
    which: 'Which',
    all: 'All',
    left: 'Only those that have left',
    count: 'Visits',
    total: 'Due as last priced',
    due: 'Due',
    entered: 'Entered',
    leftOn: 'Left',
    inside: 'Inside',
    settle: (count: number) => (count === 1 ? 'Settle 1 visit' : `Settle ${count} visits`),
    settleAmount: (count: number, sums: string) =>
      `Settle ${count === 1 ? '1 visit' : `${count} visits`}, ${sums}`,
    how: 'How',
    ways: {
      kiosk: 'Paid: the money was received',
      'owner-invoice': 'Invoice to the owner of the vehicle',
      'company-invoice': 'Invoice to the customer of the visit',
      whitelisted: 'Free: a permit was meant',
      void: 'Void: nobody has to pay',
    },
    effects: {
      kiosk: 'Each visit is settled in full and gets a paid invoice. It counts as income.',
      'owner-invoice':
        'Each visit gets an invoice to the registered owner. It waits for a payer where the register names none.',
      'company-invoice':
        'The amount goes to the next collective invoice of its customer. Without a customer, the invoice waits for a payer.',
      whitelisted: 'The amount is given up, as with a permit.',
      void: 'The amount is given up, and visits that are still inside end. The reason is stored.',
    },
  },
  {
    empty: 'Ekkert er ógreitt',
    emptyHint:
      'Heimsóknir birtast hér meðan þær eru ógreiddar: bílar inni og bílar sem fóru án þess að greiða.',
    emptyFiltered: 'Engin ógreidd heimsókn passar við þessar síur.',
    which: 'Hverjar',
    all: 'Allar',
    left: 'Aðeins bílar sem eru farnir',
    count: 'Heimsóknir',
    total: 'Ógreitt við síðustu verðlagningu',
    due: 'Ógreitt',
    entered: 'Inn',
    leftOn: 'Út',
    inside: 'Inni',
    settle: (count: number) =>
      count % 10 === 1 && count % 100 !== 11 ? `Gera upp ${count} heimsókn` : `Gera upp ${count} heimsóknir`,
    settleAmount: (count: number, sums: string) =>
      `Gera upp ${count} ${count % 10 === 1 && count % 100 !== 11 ? 'heimsókn' : 'heimsóknir'}, ${sums}`,
    how: 'Hvernig',
    ways: {
      kiosk: 'Greitt: féð er komið',
      'owner-invoice': 'Reikningur á eiganda ökutækis',
      'company-invoice': 'Reikningur á viðskiptavin heimsóknar',
      whitelisted: 'Frítt: heimild átti að gilda',
      void: 'Fellt niður: enginn þarf að greiða',
    },
    effects: {
      kiosk: 'Hver heimsókn er gerð upp að fullu og fær greiddan reikning. Upphæðin telst til tekna.',
      'owner-invoice':
        'Hver heimsókn fær reikning á skráðan eiganda. Hann bíður greiðanda ef enginn finnst í skránni.',
      'company-invoice':
        'Upphæðin fer á næsta safnreikning viðskiptavinarins. Án viðskiptavinar bíður reikningurinn greiðanda.',
      whitelisted: 'Upphæðin er gefin eftir, eins og með heimild.',
      void: 'Upphæðin er gefin eftir og heimsóknum bíla sem eru inni lýkur. Ástæðan geymist.',
    },
  },
);
