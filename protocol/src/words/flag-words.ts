import type { ReviewFlag } from '../visit.ts';

/** Why a person should look, by flag of the visit or passage. */
export const FLAG_WORDS: Record<'is' | 'en', Record<ReviewFlag, string>> = {
  en: {
    'lost-exit': 'Earlier exit not seen',
    'late-exit': 'Exit reported late',
    'uncertain-plate': 'Plate uncertain',
    'uncertain-permit': 'Permit uncertain',
    'blocklist-lookalike': 'Looks like a blocked plate',
    'unreadable-plate': 'Plate not readable',
    'gate-unconfirmed': 'Gate not confirmed',
    'clock-set': "The site's clock was set meanwhile",
    'turned-back': 'Turned back at the gate',
    'quota-exceeded': 'More than the quota had',
    'payment-unknown': 'Paid or not: the terminal does not say',
    'invoice-stands': 'Voided, but its invoice stands',
    'settled-twice': 'Paid at the terminal, and settled or voided before',
    'near-exit': 'A car with nearly this plate left without a visit',
    'not-mine': 'A driver at the exit said: this is not my car',
  },
  is: {
    'lost-exit': 'Fyrri útkeyrsla sást ekki',
    'late-exit': 'Útkeyrsla tilkynnt seint',
    'uncertain-plate': 'Óvíst númer',
    'uncertain-permit': 'Óvíst leyfi',
    'blocklist-lookalike': 'Líkist númeri á bannlista',
    'unreadable-plate': 'Númer ólæsilegt',
    'gate-unconfirmed': 'Hlið óstaðfest',
    'clock-set': 'Klukka staðarins var stillt á meðan',
    'turned-back': 'Sneri við í hliðinu',
    'quota-exceeded': 'Umfram kvóta',
    'payment-unknown': 'Óvíst hvort greitt var með korti',
    'invoice-stands': 'Fellt niður, en reikningur stendur',
    'settled-twice': 'Greitt í posa, en var þegar gert upp eða fellt niður',
    'near-exit': 'Bíll með svipað númer fór án dvalar',
    'not-mine': 'Ökumaður við útkeyrslu sagði: þetta er ekki minn bíll',
  },
};
