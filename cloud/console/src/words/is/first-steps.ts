import { translate } from '@hlid/protocol/base/texts';
import type * as en from '../en/first-steps.ts';

export const title = 'Fyrstu skrefin';
export const intro =
  'Það sem ný uppsetning þarf áður en fyrsti bíllinn kemur. Hakað er sjálfkrafa við hvert skref um leið og því er lokið, hver sem gerir það.';
export const allDone = 'Öllu er lokið.';
export const putAway = 'Leggja listann til hliðar';
export const bringBack = 'Sýna listann aftur';
export const isAway = 'Listinn birtist ekki á upphafssíðunni þinni.';
export const whereAgain = 'Ctrl+K finnur hann aftur.';
export const needsSite = 'Fyrst þarf að stofna bílastæði.';
export const mailUntried =
  'Póstur er uppsettur en ekkert hefur verið sent. Boð til samstarfsmanns er góð fyrsta sending.';
export const mailFails = 'Nýjasta sendingin mistókst. Síðan Póstur sýnir ástæðuna.';
export const backupUntried = 'Afritun er uppsett en fyrsta afritið hefur ekki verið tekið.';
export const backupFails = 'Síðasta afritun mistókst. Ástæðan er í kladda skýsins.';
export const steps = translate<typeof en.steps>()({
  'second-factor': {
    title: 'Verja innskráninguna með öðrum þætti',
    why: 'Aðgangslykill eða forrit í símanum. Þá nægir stolið lykilorð ekki til að opna hlið eða endurgreiða.',
    link: 'Innskráningin mín',
  },
  mail: {
    title: 'Leyfa kerfinu að senda póst',
    why: 'Boð, kvittanir og viðvaranir fara með pósti. Settu `smtp` í stillingar skýsins.',
    link: 'Póstur',
  },
  backup: {
    title: 'Taka afrit',
    why: 'Settu `backup` í stillingar skýsins, með geymslu á annarri vél.',
    link: 'Afritun',
  },
  site: {
    title: 'Stofna fyrsta bílastæðið',
    why: 'Bílastæði með nafni, heimilisfangi og klukku.',
    link: 'Stofna bílastæði',
  },
  seller: {
    title: 'Skrá seljanda',
    why: 'Kvittanir og reikningar sýna hver selur stæðin, með VSK-númeri.',
    link: 'Skrá seljanda',
  },
  prices: {
    title: 'Ákveða verð',
    why: 'Án verðs er ekkert til greiðslu. Ritillinn byrjar á algengum gerðum gjaldskráa.',
    link: 'Vörur',
  },
  'access-point': {
    title: 'Tengja skeytamiðlun',
    why: 'Reikningar bíða þess að fara rafrænt. Settu `accessPoints` í stillingar skýsins.',
    link: 'Reikningar',
  },
  opening: {
    title: 'Opna bílastæðið skref fyrir skref',
    why: 'Tölva, myndavélar, hlið, posi, skilti og prófunarbíll, í réttri röð.',
    link: 'Halda áfram',
  },
  colleague: {
    title: 'Bjóða samstarfsmanni',
    why: 'Annar sem getur skráð sig inn þegar þú ert í burtu, með eigin innskráningu.',
    link: 'Aðgangar',
  },
});
