import type { Language } from '@hlid/protocol/base/language';

/** Before the code, in what a SIM card shows. */
export const VERIFICATION_WORDS: Record<Language, string> = {
  is: 'Öryggistala',
  en: 'Code',
  pl: 'Kod',
  de: 'Code',
  fr: 'Code',
  es: 'Código',
  da: 'Kode',
};

/** The message on the phone if the client gives none. */
export const LOGIN_WORDS: Record<Language, string> = {
  is: 'Innskráning hjá bílastæði',
  en: 'Login for parking',
  pl: 'Logowanie – parking',
  de: 'Anmeldung zum Parken',
  fr: 'Connexion au parking',
  es: 'Acceso al aparcamiento',
  da: 'Log ind til parkering',
};

/**
 * The message on the phone of a driver who connects an electronic identity with an account; a client cannot
 * change it.
 */
export const CONNECT_WORDS: Record<Language, string> = {
  is: 'Tengja við aðgang hjá bílastæði',
  en: 'Connect to a parking account',
  pl: 'Połącz z kontem parkingowym',
  de: 'Mit Parkkonto verbinden',
  fr: 'Lier à un compte de parking',
  es: 'Vincular a cuenta de parking',
  da: 'Knyt til parkeringskonto',
};

export type Labels = Record<Language, string>;

/** The methods and their inputs, for a client to draw. */
export const METHOD_WORDS: Record<'sim' | 'app' | 'phone' | 'kennitala', Labels> = {
  sim: {
    is: 'Rafræn skilríki í síma',
    en: 'Electronic ID on a SIM card',
    pl: 'Elektroniczny dowód na karcie SIM',
    de: 'Elektronischer Ausweis auf der SIM-Karte',
    fr: 'Identité électronique sur carte SIM',
    es: 'Identidad electrónica en la tarjeta SIM',
    da: 'Elektronisk id på SIM-kort',
  },
  app: {
    is: 'Auðkennisappið',
    en: 'Auðkenni app',
    pl: 'Aplikacja Auðkenni',
    de: 'Auðkenni-App',
    fr: 'Application Auðkenni',
    es: 'Aplicación Auðkenni',
    da: 'Auðkenni-appen',
  },
  phone: {
    is: 'Símanúmer',
    en: 'Phone number',
    pl: 'Numer telefonu',
    de: 'Telefonnummer',
    fr: 'Numéro de téléphone',
    es: 'Número de teléfono',
    da: 'Telefonnummer',
  },
  kennitala: {
    is: 'Kennitala',
    en: 'Icelandic ID number (kennitala)',
    pl: 'Islandzki numer identyfikacyjny (kennitala)',
    de: 'Isländische Personennummer (kennitala)',
    fr: 'Numéro d’identification islandais (kennitala)',
    es: 'Número de identificación islandés (kennitala)',
    da: 'Islandsk personnummer (kennitala)',
  },
};
