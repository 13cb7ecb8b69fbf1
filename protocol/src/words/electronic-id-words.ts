import type { Language } from '../base/language.ts';

/** The specification's states of a login by electronic identity. Every state but `pending` ends it. */
export const ELECTRONIC_ID_STATES = [
  'success',
  'error',
  'timeout',
  'account-not-found',
  'pending',
  'cancelled',
  'unknown',
] as const;
export type ElectronicIdState = (typeof ELECTRONIC_ID_STATES)[number];

/** For the person who logs in. */
const STATES: Record<ElectronicIdState, Record<Language, string>> = {
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

/** An operator makes an account for an office; drivers make theirs by mail, and connect the identity themselves. */
const NO_DRIVER: Record<Language, string> = {
  is: 'Enginn aðgangur fannst. Athugaðu númerið, eða skráðu þig fyrst inn með tölvupósti og tengdu skilríkin svo.',
  en: 'No account was found. Check the number, or log in by e-mail first and then connect your electronic ID.',
  pl: 'Nie znaleziono konta. Sprawdź numer albo najpierw zaloguj się przez e-mail, a potem połącz elektroniczny dowód.',
  de: 'Es wurde kein Konto gefunden. Prüfen Sie die Nummer, oder melden Sie sich zuerst per E-Mail an und verbinden Sie den Ausweis dann.',
  fr: 'Aucun compte trouvé. Vérifiez le numéro, ou connectez-vous d’abord par e-mail, puis liez votre identité électronique.',
  es: 'No se encontró ninguna cuenta. Compruebe el número, o acceda primero por correo y vincule después su identidad electrónica.',
  da: 'Der blev ikke fundet en konto. Kontrollér nummeret, eller log først ind med e-mail, og tilknyt derefter dit elektroniske id.',
};

const CONNECTED: Record<Language, string> = {
  is: 'Rafrænu skilríkin eru tengd.',
  en: 'Your electronic ID is connected.',
  pl: 'Elektroniczny dowód jest połączony.',
  de: 'Ihr elektronischer Ausweis ist verbunden.',
  fr: 'Votre identité électronique est liée.',
  es: 'Su identidad electrónica está vinculada.',
  da: 'Dit elektroniske id er tilknyttet.',
};

/** What a session is for: an account of an office, a driver's account, or a driver's account and its identity. */
export const ELECTRONIC_ID_PURPOSES = ['account', 'driver', 'connect'] as const;
export type ElectronicIdPurpose = (typeof ELECTRONIC_ID_PURPOSES)[number];

/** How far a login is, for the person who logs in. */
export function electronicIdText(
  state: ElectronicIdState,
  purpose: ElectronicIdPurpose,
  language: Language,
): string {
  if (purpose === 'driver' && state === 'account-not-found') return NO_DRIVER[language];
  if (purpose === 'connect' && state === 'success') return CONNECTED[language];
  return STATES[state][language];
}
