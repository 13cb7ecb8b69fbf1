import { wordsIn } from '../../words/words.ts';

/** Words about card payments that need a person, and what each answer does. */
export const PAYMENT = wordsIn(
  {
    title: (amount: string) => `Payment of ${amount}`,
    needPerson: 'Payments that need a person',
    empty: 'No payment needs a person',
    emptyHint:
      'A payment comes here when its outcome is not known, when a visit was paid twice, or when a bank takes money back.',
    gone: 'This payment needs nobody any more',
    goneHint: 'Somebody has answered it, or its provider or terminal has.',
    toInvoice: 'To its invoice',
    back: 'All payments',
    problem: 'What is wrong',
    problems: {
      'settled-twice': 'Paid twice',
      terminal: 'Terminal: not certain',
      provider: 'Provider: not certain',
      chargeback: 'Charged back',
    },
    explained: {
      'settled-twice':
        'The driver paid by card, but the visit had been settled or voided before. The driver should get the money back.',
      terminal:
        'The card terminal did not report how this payment ended, or it could not be reversed. Only the site knows: see the receipt roll of the terminal.',
      provider:
        'The payment provider did not answer. See in its portal whether the money was taken, then choose what you found.',
      chargeback:
        'The bank of the card’s holder has taken the money back. It left the income when the chargeback opened.',
    },
    refunds: 'Refunds',
    refundStates: {
      ordered: 'Sent, no answer yet',
      refunded: 'Given back',
      'not-possible': 'Not given back',
      unclear: 'May have been given back',
      failed: 'Came back from the card',
    },
    refundUnclear:
      'A refund of this payment may have been given, and counts as given. See in the portal of the provider, then choose: given back, or the provider still has the money. Until then nothing more can be refunded.',
    quotaUsed:
      'The price of prepaid days went back, and some of the days are used. Bill them in another way, and then record here that the money was given back.',
    refundFailed:
      'A refund came back from the card. Give the money another way, such as to a bank account, then record it as given back.',
    where: 'Where',
    terminal: (id: string) => `Terminal ${id}`,
    online: 'Online',
    card: 'Card',
    cardText: (last: string) => `ending in ${last}`,
    changed: 'Changed',
    code: 'Code of the site',
    choose: 'What do you do?',
    answers: {
      booked: {
        name: 'The provider has the money',
        effect: 'The payment counts as paid: the visit is settled and the invoice is issued. No money moves.',
        act: (amount: string) => `Record ${amount} as paid`,
        done: 'Recorded as paid',
      },
      'not-booked': {
        name: 'The provider never charged the card',
        effect: 'The payment counts as not made: the visit owes the amount again. No money moves.',
        act: (amount: string) => `Record ${amount} as not charged`,
        done: 'Recorded as not charged',
      },
      'given-back': {
        name: 'The provider charged the card and gave the money back',
        effect:
          'The payment counts as given back: its invoice is refunded, and a visit inside owes again. No money moves.',
        act: (amount: string) => `Record ${amount} as given back`,
        done: 'Recorded as given back',
      },
      reverse: {
        name: 'Give the money back to the card',
        effect:
          'The terminal or the provider returns the whole amount to the card. When it has, the invoice is refunded.',
        act: (amount: string) => `Give ${amount} back to the card`,
        done: 'The refund has begun',
      },
      keep: {
        name: 'Keep the money',
        effect:
          'Nothing is given back, for example since it was returned in cash. The payment leaves this list.',
        act: (amount: string) => `Keep ${amount}`,
        done: 'The payment stays as it is',
      },
      evidence: {
        name: 'Send evidence, or change the deadline',
        effect: 'The chargeback stays open with what you write here. The bank decides.',
        act: () => 'Save the evidence',
        done: 'Saved',
      },
      won: {
        name: 'We won: the money stays with us',
        effect: 'The credit note is withdrawn, and the amount counts as income again. This is final.',
        act: (amount: string) => `Record ${amount} as won`,
        done: 'Recorded as won',
      },
      lost: {
        name: 'We lost: the money is gone',
        effect: 'The credit note stays, and the payment leaves this list. This is final.',
        act: (amount: string) => `Record ${amount} as lost`,
        done: 'Recorded as lost',
      },
    },
    atSite: 'Resolve it at the site',
    atSiteHint:
      'A technician records there what the terminal’s receipt roll shows. The payment leaves this list when the site reports it.',
    source: 'How do you know?',
    sourceHint: 'For the audit log, such as a transaction number in the portal.',
    chargeback: 'Chargeback',
    newChargeback: 'Record a chargeback',
    newChargebackHint:
      'A credit note takes the amount out of the income. The payment cannot be refunded meanwhile.',
    recordChargeback: (amount: string) => `Record a chargeback of ${amount}`,
    chargebackRecorded: 'The chargeback is recorded',
    reference: 'Reference of the provider',
    reasonCode: 'Reason code of the card scheme',
    deadline: 'Send evidence until',
    evidence: 'Evidence',
    evidenceHint: 'What was or will be sent, such as pictures of entry and exit.',
    opened: 'Opened',
    decided: 'Decided',
    payment: 'Card payment',
    tip: 'Tip',
    refundInDoubt: 'Given back? Not certain',
    reversalUnclear:
      'The terminal was told to give the money back and did not answer. It counts as given: nothing more goes back until the terminal or a person on site says what happened.',
    chargebackStates: {
      open: 'Open: the bank holds the money',
      lost: 'Lost: the bank has kept the money',
      prevented: 'Ended before money was taken',
      won: 'Won: the money is here',
    },
    disputed: 'Charged back',
  },
  {
    title: (amount: string) => `Greiðsla, ${amount}`,
    needPerson: 'Greiðslur sem þarf að skoða',
    empty: 'Engin greiðsla bíður',
    emptyHint:
      'Greiðsla birtist hér þegar óvíst er hvernig henni lauk, þegar greitt var tvisvar fyrir dvöl eða þegar banki tekur fé til baka.',
    gone: 'Þessi greiðsla bíður einskis lengur',
    goneHint: 'Einhver hefur afgreitt hana, eða greiðslumiðlun eða posi hefur svarað.',
    toInvoice: 'Skoða reikninginn',
    back: 'Allar greiðslur',
    problem: 'Hvað er að',
    problems: {
      'settled-twice': 'Greitt tvisvar',
      terminal: 'Posi: óvíst',
      provider: 'Greiðslumiðlun: óvíst',
      chargeback: 'Endurkrafa',
    },
    explained: {
      'settled-twice':
        'Ökumaður greiddi með korti en dvölin hafði þegar verið gerð upp eða felld niður. Ökumaður á að fá féð til baka.',
      terminal:
        'Posinn sagði ekki til um hvernig greiðslunni lauk, eða ekki tókst að bakfæra hana. Það sést aðeins á staðnum: skoðaðu strimilinn í posanum.',
      provider:
        'Greiðslumiðlunin svaraði ekki. Athugaðu á þjónustuvef hennar hvort féð var tekið og veldu svo það sem þú sást.',
      chargeback:
        'Banki korthafa hefur tekið féð til baka. Það fór út úr tekjunum þegar endurkrafan var skráð.',
    },
    refunds: 'Endurgreiðslur',
    refundStates: {
      ordered: 'Send, ekkert svar enn',
      refunded: 'Endurgreidd',
      'not-possible': 'Ekki endurgreidd',
      unclear: 'Kann að hafa verið endurgreidd',
      failed: 'Kom til baka af kortinu',
    },
    refundUnclear:
      'Endurgreiðsla af þessari greiðslu kann að hafa farið fram og telst gerð. Athugaðu á þjónustuvef greiðslumiðlunar og veldu svo: endurgreitt, eða greiðslumiðlunin er enn með féð. Þangað til er ekki hægt að endurgreiða meira.',
    quotaUsed:
      'Verð fyrirframgreiddra daga var endurgreitt en hluti daganna er notaður. Innheimtu þá á annan hátt og skráðu svo hér að féð hafi verið endurgreitt.',
    refundFailed:
      'Endurgreiðsla kom til baka af kortinu. Skilaðu fénu á annan hátt, til dæmis á bankareikning, og skráðu hana svo sem endurgreidda.',
    where: 'Hvar',
    terminal: (id: string) => `Posi ${id}`,
    online: 'Á netinu',
    card: 'Kort',
    cardText: (last: string) => `endar á ${last}`,
    changed: 'Breytt',
    code: 'Kóði staðarins',
    choose: 'Hvað viltu gera?',
    answers: {
      booked: {
        name: 'Greiðslumiðlunin er með féð',
        effect: 'Greiðslan telst greidd: dvölin er gerð upp og reikningur gefinn út. Ekkert fé er fært.',
        act: (amount: string) => `Skrá ${amount} sem greitt`,
        done: 'Skráð sem greitt',
      },
      'not-booked': {
        name: 'Kortið var aldrei gjaldfært',
        effect: 'Greiðslan telst ekki hafa farið fram: dvölin er aftur ógreidd. Ekkert fé er fært.',
        act: (amount: string) => `Skrá ${amount} sem ógjaldfært`,
        done: 'Skráð sem ógjaldfært',
      },
      'given-back': {
        name: 'Kortið var gjaldfært og féð endurgreitt',
        effect:
          'Greiðslan telst endurgreidd: reikningurinn er bakfærður og bíll sem er inni skuldar aftur. Ekkert fé er fært.',
        act: (amount: string) => `Skrá ${amount} sem endurgreitt`,
        done: 'Skráð sem endurgreitt',
      },
      reverse: {
        name: 'Endurgreiða á kortið',
        effect:
          'Posinn eða greiðslumiðlunin skilar allri upphæðinni á kortið. Þegar því er lokið er reikningurinn bakfærður.',
        act: (amount: string) => `Endurgreiða ${amount} á kortið`,
        done: 'Endurgreiðsla er hafin',
      },
      keep: {
        name: 'Halda fénu',
        effect:
          'Ekkert er endurgreitt, til dæmis af því að það var gert með reiðufé. Greiðslan hverfur af þessum lista.',
        act: (amount: string) => `Halda ${amount}`,
        done: 'Greiðslan stendur',
      },
      evidence: {
        name: 'Senda gögn eða breyta fresti',
        effect: 'Endurkrafan er áfram opin með því sem þú skrifar hér. Bankinn ákveður.',
        act: () => 'Vista gögnin',
        done: 'Vistað',
      },
      won: {
        name: 'Við unnum: féð er okkar',
        effect: 'Kreditreikningurinn er afturkallaður og upphæðin telst aftur til tekna. Þetta er endanlegt.',
        act: (amount: string) => `Skrá ${amount} sem unnið mál`,
        done: 'Skráð sem unnið mál',
      },
      lost: {
        name: 'Við töpuðum: féð er farið',
        effect: 'Kreditreikningurinn stendur og greiðslan hverfur af þessum lista. Þetta er endanlegt.',
        act: (amount: string) => `Skrá ${amount} sem tapað mál`,
        done: 'Skráð sem tapað mál',
      },
    },
    atSite: 'Afgreiddu hana á staðnum',
    atSiteHint:
      'Tæknimaður skráir þar það sem strimillinn sýnir. Greiðslan hverfur af listanum þegar staðurinn hefur sagt frá því.',
    source: 'Hvernig veistu það?',
    sourceHint: 'Fyrir atburðaskrána, til dæmis færslunúmer á þjónustuvefnum.',
    chargeback: 'Endurkrafa',
    newChargeback: 'Skrá endurkröfu',
    newChargebackHint:
      'Kreditreikningur tekur upphæðina út úr tekjunum. Ekki er hægt að endurgreiða greiðsluna á meðan.',
    recordChargeback: (amount: string) => `Skrá endurkröfu, ${amount}`,
    chargebackRecorded: 'Endurkrafan er skráð',
    reference: 'Tilvísun greiðslumiðlunar',
    reasonCode: 'Ástæðukóði kortafélags',
    deadline: 'Frestur til að senda gögn',
    evidence: 'Gögn',
    evidenceHint: 'Það sem var sent eða verður sent, til dæmis myndir af inn- og útkeyrslu.',
    opened: 'Opnuð',
    decided: 'Lokið',
    payment: 'Kortagreiðsla',
    tip: 'Þjórfé',
    refundInDoubt: 'Endurgreitt? Óvíst',
    reversalUnclear:
      'Posinn átti að bakfæra greiðsluna en svaraði ekki. Hún telst bakfærð: ekkert fer aftur til baka fyrr en posinn eða einhver á staðnum segir hvað gerðist.',
    chargebackStates: {
      open: 'Opin: bankinn heldur fénu',
      lost: 'Töpuð: bankinn hélt fénu',
      prevented: 'Lauk áður en fé var tekið',
      won: 'Unnin: féð er hér',
    },
    disputed: 'Endurkrafin upphæð',
  },
);

export type Answer = keyof typeof PAYMENT.answers;
