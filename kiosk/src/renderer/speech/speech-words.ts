import type { Language } from '@hlid/protocol/base/language';

/** The text at the beginning of reading aloud. It loads with the code that reads it. */
export const SPEECH_WORDS: Record<Language, string> = {
  is: 'Skjárinn er lesinn upphátt. Örvalyklar fara á milli hnappa og Enter ýtir á þá. Á skjánum: snertu einu sinni til að heyra, aftur til að ýta. Stjarna les aftur, skástrik slekkur.',
  en: 'The screen is read aloud. Arrow keys go from button to button, and Enter presses them. On the screen, touch once to listen, and again to press. Star reads again, slash turns it off.',
  pl: 'Ekran jest czytany na głos. Strzałki przechodzą między przyciskami, Enter je naciska. Na ekranie dotknij raz, aby usłyszeć, i jeszcze raz, aby nacisnąć. Gwiazdka czyta ponownie, ukośnik wyłącza.',
  de: 'Der Bildschirm wird vorgelesen. Pfeiltasten führen von Taste zu Taste, Enter drückt sie. Auf dem Bildschirm einmal berühren zum Hören, noch einmal zum Drücken. Stern liest noch einmal, Schrägstrich schaltet aus.',
  fr: 'L’écran est lu à voix haute. Les flèches passent d’un bouton à l’autre, Entrée les active. Sur l’écran, touchez une fois pour écouter, une deuxième fois pour appuyer. Étoile relit, barre oblique arrête.',
  es: 'La pantalla se lee en voz alta. Las flechas pasan de un botón a otro y Enter los pulsa. En la pantalla, toque una vez para escuchar y otra vez para pulsar. Asterisco lee de nuevo, barra lo apaga.',
  da: 'Skærmen læses højt. Piletasterne går fra knap til knap, og Enter trykker på dem. På skærmen: rør én gang for at høre, og igen for at trykke. Stjerne læser igen, skråstreg slår fra.',
};
