import type { Translation } from '@hlid/protocol/base/texts';
import type { OBJECTION_EN } from './objection-en.ts';

export const OBJECTION_DA: Translation<typeof OBJECTION_EN> = {
  title: 'Din indsigelse',
  ended: 'Linket er udløbet. Ring til os, hvis du stadig har et spørgsmål.',
  by: 'Vi svarer senest: {at}.',
  driver: 'Du',
  office: 'Kontoret',
  message: 'Tilføj en besked',
  send: 'Send besked',
  withdraw: 'Træk indsigelsen tilbage',
  withdrawSure: 'Ja, træk den tilbage: jeg betaler',
  given: {
    void: 'Der er ikke noget at betale for parkeringen.',
    waive: '{amount} trækkes fra det skyldige beløb.',
    refund: '{amount} betales tilbage på samme måde, som der blev betalt.',
    credit: '{amount} krediteres på fakturaen.',
  },
};
