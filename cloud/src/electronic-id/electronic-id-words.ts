import type { Language } from '@hlid/protocol/language';
import type { LoginState } from './check-identification.ts';

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

/** On the phone, where the client gives no message. */
export const LOGIN_WORDS: Record<Language, string> = {
  is: 'Innskráning hjá bílastæði',
  en: 'Login for parking',
  pl: 'Logowanie – parking',
  de: 'Anmeldung zum Parken',
  fr: 'Connexion au parking',
  es: 'Acceso al aparcamiento',
  da: 'Log ind til parkering',
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

/** What somebody who logs in reads, by the state. */
export const STATE_WORDS: Record<LoginState, Labels> = {
  success: {
    is: 'Innskráning tókst.',
    en: 'You are logged in.',
    pl: 'Zalogowano.',
    de: 'Sie sind angemeldet.',
    fr: 'Vous êtes connecté.',
    es: 'Ha iniciado sesión.',
    da: 'Du er logget ind.',
  },
  pending: {
    is: 'Samþykktu beiðnina í símanum ef öryggistalan er sú sama þar og hér.',
    en: 'Approve the request on your phone if it shows the same code as this page.',
    pl: 'Zatwierdź prośbę w telefonie, jeśli pokazuje ten sam kod co ta strona.',
    de: 'Bestätigen Sie die Anfrage auf dem Telefon, wenn dort derselbe Code steht wie hier.',
    fr: 'Approuvez la demande sur votre téléphone si le code est le même qu’ici.',
    es: 'Apruebe la solicitud en su teléfono si muestra el mismo código que esta página.',
    da: 'Godkend anmodningen på telefonen, hvis den viser samme kode som her.',
  },
  timeout: {
    is: 'Ekkert svar barst frá símanum í tæka tíð. Reyndu aftur.',
    en: 'The phone did not answer in time. Please try again.',
    pl: 'Telefon nie odpowiedział na czas. Spróbuj ponownie.',
    de: 'Das Telefon hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es noch einmal.',
    fr: 'Le téléphone n’a pas répondu à temps. Veuillez réessayer.',
    es: 'El teléfono no respondió a tiempo. Inténtelo de nuevo.',
    da: 'Telefonen svarede ikke i tide. Prøv igen.',
  },
  cancelled: {
    is: 'Hætt var við innskráningu í símanum.',
    en: 'The login was cancelled on the phone.',
    pl: 'Logowanie anulowano w telefonie.',
    de: 'Die Anmeldung wurde auf dem Telefon abgebrochen.',
    fr: 'La connexion a été annulée sur le téléphone.',
    es: 'El acceso se canceló en el teléfono.',
    da: 'Login blev afbrudt på telefonen.',
  },
  'account-not-found': {
    is: 'Enginn aðgangur fannst fyrir þessi rafrænu skilríki.',
    en: 'There is no account for this electronic ID.',
    pl: 'Nie ma konta dla tego elektronicznego dowodu.',
    de: 'Zu diesem elektronischen Ausweis gibt es kein Konto.',
    fr: 'Aucun compte ne correspond à cette identité électronique.',
    es: 'No hay ninguna cuenta para esta identidad electrónica.',
    da: 'Der er ingen konto til dette elektroniske id.',
  },
  error: {
    is: 'Ekki er hægt að nota rafrænu skilríkin núna. Athugaðu hvort þau eru læst eða skráðu þig inn á annan hátt.',
    en: 'The electronic ID cannot be used now. Check that it is not blocked, or log in another way.',
    pl: 'Nie można teraz użyć elektronicznego dowodu. Sprawdź, czy nie jest zablokowany, lub zaloguj się inaczej.',
    de: 'Der elektronische Ausweis ist jetzt nicht nutzbar. Prüfen Sie, ob er gesperrt ist, oder melden Sie sich anders an.',
    fr: 'L’identité électronique est inutilisable pour le moment. Vérifiez qu’elle n’est pas bloquée ou connectez-vous autrement.',
    es: 'La identidad electrónica no se puede usar ahora. Compruebe que no esté bloqueada o acceda de otra forma.',
    da: 'Det elektroniske id kan ikke bruges nu. Se efter, om det er spærret, eller log ind på en anden måde.',
  },
  unknown: {
    is: 'Óvíst er hvernig innskráningin fór. Reyndu aftur.',
    en: 'The result of the login is not known. Please try again.',
    pl: 'Wynik logowania jest nieznany. Spróbuj ponownie.',
    de: 'Das Ergebnis der Anmeldung ist nicht bekannt. Bitte versuchen Sie es noch einmal.',
    fr: 'Le résultat de la connexion est inconnu. Veuillez réessayer.',
    es: 'No se conoce el resultado del acceso. Inténtelo de nuevo.',
    da: 'Resultatet af login er ukendt. Prøv igen.',
  },
};
