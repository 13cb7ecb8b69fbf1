/**
 * Why a payment was not begun, or came to nothing, by the code that the terminal's driver, the journal or a kiosk's
 * fault has for it: what happened, and what to do now.
 */
const PAYMENT_REASON_WORDS = {
  en: {
    refused: 'The bank declined the card. Try another card.',
    'card-unreadable': 'The card could not be read. Try again, or another card.',
    'card-expired': 'The card has expired. Try another card.',
    'card-unsupported': 'This card is not accepted here. Try another card.',
    'wrong-pin': 'The PIN was wrong. Try again.',
    'no-connection': 'The card terminal has no connection to the bank. Try again in a moment.',
    'driver-gone': 'The payment was cancelled. Nothing was charged.',
    'not-booked': 'The payment did not go through. Nothing was charged.',
    'terminal-busy': 'The card terminal is in use. Wait until it is free.',
    'terminal-away': 'The card terminal cannot be reached. Try again, or call for help.',
    'no-terminal': 'There is no such card terminal.',
    'payment-under-way': 'A payment is under way. Do not pay again.',
    'nothing-due': 'There is nothing to pay.',
    'too-little': 'That is less than what is due. Choose more days, or pay what is due.',
    'not-for-sale': 'This cannot be bought for this car.',
    'amount-changed': 'The amount has changed meanwhile.',
    'key-reused': 'This payment was begun for something else. Start again.',
    'visit-ended': 'The car has left already.',
    'not-found': 'There is no such visit at this car park.',
    unknown: 'We are checking the payment. Do not pay again.',
    other: 'The payment did not go through. Try again, or call for help.',
  },
  is: {
    refused: 'Bankinn hafnaði kortinu. Prófaðu annað kort.',
    'card-unreadable': 'Ekki tókst að lesa kortið. Reyndu aftur, eða notaðu annað kort.',
    'card-expired': 'Kortið er útrunnið. Prófaðu annað kort.',
    'card-unsupported': 'Ekki er tekið við þessu korti hér. Prófaðu annað kort.',
    'wrong-pin': 'PIN-númerið var rangt. Reyndu aftur.',
    'no-connection': 'Posinn nær ekki sambandi við bankann. Reyndu aftur eftir smástund.',
    'driver-gone': 'Hætt var við greiðsluna. Ekkert var gjaldfært.',
    'not-booked': 'Greiðslan fór ekki í gegn. Ekkert var gjaldfært.',
    'terminal-busy': 'Posinn er í notkun. Bíddu þar til hann er laus.',
    'terminal-away': 'Ekki næst samband við posann. Reyndu aftur, eða hringdu eftir aðstoð.',
    'no-terminal': 'Þessi posi er ekki til.',
    'payment-under-way': 'Greiðsla stendur yfir. Ekki greiða aftur.',
    'nothing-due': 'Ekkert er ógreitt.',
    'too-little': 'Þetta er minna en skuldin. Veldu fleiri daga, eða greiddu skuldina.',
    'not-for-sale': 'Þetta er ekki hægt að kaupa fyrir þennan bíl.',
    'amount-changed': 'Upphæðin hefur breyst í millitíðinni.',
    'key-reused': 'Þessi greiðsla var hafin fyrir annað. Byrjaðu aftur.',
    'visit-ended': 'Bíllinn er farinn.',
    'not-found': 'Þessi heimsókn er ekki á þessu bílastæði.',
    unknown: 'Við erum að athuga greiðsluna. Ekki greiða aftur.',
    other: 'Greiðslan fór ekki í gegn. Reyndu aftur, eða hringdu eftir aðstoð.',
  },
} as const satisfies Record<'is' | 'en', Record<string, string>>;

type KnownReason = keyof (typeof PAYMENT_REASON_WORDS)['en'];

/** A reason code in words; one that has none of its own says that it did not go through. */
export function paymentReasonText(reason: string, language: 'is' | 'en'): string {
  return PAYMENT_REASON_WORDS[language][isKnown(reason) ? reason : 'other'];
}

function isKnown(reason: string): reason is KnownReason {
  return Object.hasOwn(PAYMENT_REASON_WORDS.en, reason);
}
