import type { Language } from '@hlid/protocol/base/language';

interface IdentityWords {
  logIn: string;
  connectTitle: string;
  method: string;
  next: string;
  confirm: string;
  code: string;
  notConfirmed: string;
  byMail: string;
  wrong: Record<'phone' | 'kennitala', string>;
  tooMany: (minutes: number) => string;
  part: string;
  connected: string;
  unconnected: string;
  connect: string;
  disconnect: string;
  disconnectLead: string;
  keep: string;
  ownCar: string;
  ownCarLead: string;
  add: string;
  notRegistered: string;
  noRegister: string;
  others: string;
}

/** The words of the screens that only drivers with an electronic identity see, loaded with these screens. */
export const IDENTITY_WORDS: Record<Language, IdentityWords> = {
  is: {
    logIn: 'Innskráning með rafrænum skilríkjum',
    connectTitle: 'Tengja rafræn skilríki',
    method: 'Hvernig rafræn skilríki?',
    next: 'Áfram',
    confirm: 'Staðfestu í símanum',
    code: 'Öryggistala',
    notConfirmed: 'Ekki staðfest',
    byMail: 'Innskráning með tölvupósti',
    wrong: {
      phone: 'Sláðu inn íslenskt farsímanúmer, sjö tölustafi.',
      kennitala: 'Sláðu inn kennitölu, tíu tölustafi.',
    },
    tooMany: (minutes) => `Of margar tilraunir. Reyndu aftur eftir ${minutes} mín.`,
    part: 'Rafræn skilríki',
    connected: 'Tengd. Þú getur skráð þig inn með þeim.',
    unconnected: 'Ekki tengd. Tengdu þau til að skrá þig inn án tölvupósts.',
    connect: 'Tengja rafræn skilríki',
    disconnect: 'Aftengja rafræn skilríki',
    disconnectLead: 'Bílar sem ökutækjaskrá skráir á þig verða teknir af listanum.',
    keep: 'Hætta við',
    ownCar: 'Bæta við eigin bíl',
    ownCarLead: 'Bíll sem er skráður á þig í ökutækjaskrá, sem eiganda eða umráðamann.',
    add: 'Bæta við',
    notRegistered: 'Bíllinn er ekki skráður á þig í ökutækjaskrá.',
    noRegister: 'Ökutækjaskrá svarar ekki núna. Reyndu aftur síðar.',
    others: 'Ekki var hægt að bæta bílnum við. Annar ökumaður er með hann.',
  },
  en: {
    logIn: 'Log in with electronic ID',
    connectTitle: 'Connect your electronic ID',
    method: 'Which electronic ID?',
    next: 'Continue',
    confirm: 'Confirm on your phone',
    code: 'Code',
    notConfirmed: 'Not confirmed',
    byMail: 'Log in by e-mail',
    wrong: {
      phone: 'Type an Icelandic mobile number of seven digits.',
      kennitala: 'Type a kennitala of ten digits.',
    },
    tooMany: (minutes) => `Too many attempts. Try again in ${minutes} min.`,
    part: 'Electronic ID',
    connected: 'Connected. You can log in with it.',
    unconnected: 'Not connected. Connect it to log in without e-mail.',
    connect: 'Connect electronic ID',
    disconnect: 'Disconnect electronic ID',
    disconnectLead: 'Cars that the vehicle register has in your name are removed from your list.',
    keep: 'Cancel',
    ownCar: 'Add your own car',
    ownCarLead: 'A car of which the vehicle register names you as owner or operator.',
    add: 'Add',
    notRegistered: 'The vehicle register does not have this car in your name.',
    noRegister: 'The vehicle register does not answer now. Try again later.',
    others: 'This car could not be added. Another driver has it.',
  },
  pl: {
    logIn: 'Zaloguj się elektronicznym dowodem',
    connectTitle: 'Połącz elektroniczny dowód',
    method: 'Jaki elektroniczny dowód?',
    next: 'Dalej',
    confirm: 'Potwierdź w telefonie',
    code: 'Kod',
    notConfirmed: 'Nie potwierdzono',
    byMail: 'Zaloguj się przez e-mail',
    wrong: {
      phone: 'Wpisz islandzki numer komórkowy, siedem cyfr.',
      kennitala: 'Wpisz kennitala, dziesięć cyfr.',
    },
    tooMany: (minutes) => `Zbyt wiele prób. Spróbuj ponownie za ${minutes} min.`,
    part: 'Elektroniczny dowód',
    connected: 'Połączony. Możesz się nim logować.',
    unconnected: 'Niepołączony. Połącz go, aby logować się bez e-maila.',
    connect: 'Połącz elektroniczny dowód',
    disconnect: 'Odłącz elektroniczny dowód',
    disconnectLead: 'Samochody zarejestrowane na Ciebie w rejestrze pojazdów znikną z listy.',
    keep: 'Anuluj',
    ownCar: 'Dodaj własny samochód',
    ownCarLead: 'Samochód, którego jesteś właścicielem lub użytkownikiem według rejestru pojazdów.',
    add: 'Dodaj',
    notRegistered: 'Ten samochód nie jest zarejestrowany na Ciebie.',
    noRegister: 'Rejestr pojazdów teraz nie odpowiada. Spróbuj później.',
    others: 'Nie można dodać tego samochodu. Ma go inny kierowca.',
  },
  de: {
    logIn: 'Mit elektronischem Ausweis anmelden',
    connectTitle: 'Elektronischen Ausweis verbinden',
    method: 'Welcher elektronische Ausweis?',
    next: 'Weiter',
    confirm: 'Am Telefon bestätigen',
    code: 'Code',
    notConfirmed: 'Nicht bestätigt',
    byMail: 'Per E-Mail anmelden',
    wrong: {
      phone: 'Geben Sie eine isländische Mobilnummer mit sieben Ziffern ein.',
      kennitala: 'Geben Sie eine Kennitala mit zehn Ziffern ein.',
    },
    tooMany: (minutes) => `Zu viele Versuche. Versuchen Sie es in ${minutes} Min. wieder.`,
    part: 'Elektronischer Ausweis',
    connected: 'Verbunden. Sie können sich damit anmelden.',
    unconnected: 'Nicht verbunden. Verbinden Sie ihn, um sich ohne E-Mail anzumelden.',
    connect: 'Ausweis verbinden',
    disconnect: 'Ausweis trennen',
    disconnectLead: 'Autos, die laut Fahrzeugregister Ihnen gehören, werden aus der Liste entfernt.',
    keep: 'Abbrechen',
    ownCar: 'Eigenes Auto hinzufügen',
    ownCarLead: 'Ein Auto, für das das Fahrzeugregister Sie als Eigentümer oder Halter nennt.',
    add: 'Hinzufügen',
    notRegistered: 'Dieses Auto ist laut Fahrzeugregister nicht auf Sie zugelassen.',
    noRegister: 'Das Fahrzeugregister antwortet gerade nicht. Versuchen Sie es später.',
    others: 'Das Auto kann nicht hinzugefügt werden. Eine andere Person hat es.',
  },
  fr: {
    logIn: 'Se connecter par identité électronique',
    connectTitle: 'Lier votre identité électronique',
    method: 'Quelle identité électronique ?',
    next: 'Continuer',
    confirm: 'Confirmez sur votre téléphone',
    code: 'Code',
    notConfirmed: 'Non confirmé',
    byMail: 'Se connecter par e-mail',
    wrong: {
      phone: 'Saisissez un numéro de mobile islandais de sept chiffres.',
      kennitala: 'Saisissez une kennitala de dix chiffres.',
    },
    tooMany: (minutes) => `Trop d’essais. Réessayez dans ${minutes} min.`,
    part: 'Identité électronique',
    connected: 'Liée. Vous pouvez vous connecter avec elle.',
    unconnected: 'Non liée. Liez-la pour vous connecter sans e-mail.',
    connect: 'Lier l’identité électronique',
    disconnect: 'Dissocier l’identité électronique',
    disconnectLead: 'Les voitures à votre nom dans le registre des véhicules sont retirées de la liste.',
    keep: 'Annuler',
    ownCar: 'Ajouter votre voiture',
    ownCarLead: 'Une voiture dont vous êtes propriétaire ou utilisateur d’après le registre des véhicules.',
    add: 'Ajouter',
    notRegistered: 'Cette voiture n’est pas à votre nom dans le registre des véhicules.',
    noRegister: 'Le registre des véhicules ne répond pas. Réessayez plus tard.',
    others: 'Impossible d’ajouter cette voiture. Un autre conducteur l’a déjà.',
  },
  es: {
    logIn: 'Acceder con identidad electrónica',
    connectTitle: 'Vincular su identidad electrónica',
    method: '¿Qué identidad electrónica?',
    next: 'Continuar',
    confirm: 'Confirme en su teléfono',
    code: 'Código',
    notConfirmed: 'Sin confirmar',
    byMail: 'Acceder por correo electrónico',
    wrong: {
      phone: 'Escriba un móvil islandés de siete cifras.',
      kennitala: 'Escriba una kennitala de diez cifras.',
    },
    tooMany: (minutes) => `Demasiados intentos. Inténtelo de nuevo en ${minutes} min.`,
    part: 'Identidad electrónica',
    connected: 'Vinculada. Puede acceder con ella.',
    unconnected: 'No vinculada. Vincúlela para acceder sin correo electrónico.',
    connect: 'Vincular identidad electrónica',
    disconnect: 'Desvincular identidad electrónica',
    disconnectLead: 'Los coches a su nombre en el registro de vehículos se quitan de la lista.',
    keep: 'Cancelar',
    ownCar: 'Añadir su propio coche',
    ownCarLead: 'Un coche del que el registro de vehículos le nombra titular o usuario.',
    add: 'Añadir',
    notRegistered: 'Este coche no está a su nombre en el registro de vehículos.',
    noRegister: 'El registro de vehículos no responde ahora. Inténtelo más tarde.',
    others: 'No se pudo añadir este coche. Lo tiene otro conductor.',
  },
  da: {
    logIn: 'Log ind med elektronisk id',
    connectTitle: 'Tilknyt dit elektroniske id',
    method: 'Hvilket elektronisk id?',
    next: 'Fortsæt',
    confirm: 'Bekræft på telefonen',
    code: 'Kode',
    notConfirmed: 'Ikke bekræftet',
    byMail: 'Log ind med e-mail',
    wrong: {
      phone: 'Skriv et islandsk mobilnummer på syv cifre.',
      kennitala: 'Skriv en kennitala på ti cifre.',
    },
    tooMany: (minutes) => `For mange forsøg. Prøv igen om ${minutes} min.`,
    part: 'Elektronisk id',
    connected: 'Tilknyttet. Du kan logge ind med det.',
    unconnected: 'Ikke tilknyttet. Tilknyt det for at logge ind uden e-mail.',
    connect: 'Tilknyt elektronisk id',
    disconnect: 'Fjern elektronisk id',
    disconnectLead: 'Biler, som bilregistret har i dit navn, fjernes fra listen.',
    keep: 'Annullér',
    ownCar: 'Tilføj din egen bil',
    ownCarLead: 'En bil, som du ejer eller bruger ifølge bilregistret.',
    add: 'Tilføj',
    notRegistered: 'Bilregistret har ikke bilen i dit navn.',
    noRegister: 'Bilregistret svarer ikke lige nu. Prøv igen senere.',
    others: 'Bilen kunne ikke tilføjes. En anden fører har den.',
  },
};
