import { type Language, LOCALES } from '@hlid/protocol/base/language';
import { newPart, readScreen, type SpokenScreen, spokenText } from './spoken-text.ts';
import { voiceOf } from './voice.ts';

/** A screen is complete by then; what React changes at once is read once. */
const SETTLED_MS = 150;
const CONTROLS = 'button:not(:disabled), a[href], [role=combobox], [role=option]';
const NEXT_KEYS: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowRight']);
const BEFORE_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowLeft']);

/** Hz, one after the other. */
const TONES = { on: [523, 784], good: [659, 880], bad: [392, 262], doubt: [392, 392] };
const TONE_S = 0.14;

/** Reads the kiosk's screen aloud: each new screen, what changes on it, and the control that is reached or touched. */
export class ScreenSpeaker {
  readonly #language: Language;
  readonly #instructions: string;
  readonly #ending = new AbortController();
  readonly #observer = new MutationObserver(() => this.#changed());
  #screen: SpokenScreen = { name: '', texts: [], live: [] };
  /** The control that was read last: a touch of another one reads it, and presses nothing. */
  #known: Element | null = null;
  #asked: Element | null = null;
  /** Whether the driver has pressed or touched anything since something was last read aloud. */
  #hasActed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #audio: AudioContext | null = null;

  /** @param instructions the text at the beginning, in the same language */
  constructor(language: Language, instructions: string) {
    this.#language = language;
    this.#instructions = instructions;
  }

  /** @param isFirst reads the instructions too */
  start(isFirst: boolean): void {
    const options = { capture: true, signal: this.#ending.signal };
    document.addEventListener('focusin', ({ target }) => this.#reached(target), options);
    document.addEventListener('keydown', (event) => this.#onKey(event), options);
    document.addEventListener('pointerdown', (event) => this.#onTouch(event), options);
    document.addEventListener('click', (event) => this.#onClick(event), options);
    this.#observer.observe(document.body, {
      childList: true,
      characterData: true,
      attributes: true,
      subtree: true,
    });
    this.#screen = readScreen(document);
    if (isFirst) this.#sound('on');
    this.#say([...(isFirst ? [this.#instructions] : []), ...this.#screen.texts]);
  }

  /** Reads the whole screen once more. */
  repeat(): void {
    this.#screen = readScreen(document);
    this.#say(this.#screen.texts);
  }

  stop(): void {
    this.#ending.abort();
    this.#observer.disconnect();
    clearTimeout(this.#timer);
    if ('speechSynthesis' in window) speechSynthesis.cancel();
    void this.#audio?.close();
  }

  #changed(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#readChange(), SETTLED_MS);
  }

  #readChange(): void {
    const before = this.#screen;
    const now = readScreen(document);
    this.#screen = now;
    if (now.name !== before.name) {
      this.#known = null;
      const { tone } = document.querySelector<HTMLElement>('.frame')?.dataset ?? {};
      if (tone === 'good' || tone === 'bad' || tone === 'doubt') this.#sound(tone);
      this.#say(now.texts);
      return;
    }
    const changed = now.live.map((text, at) =>
      text === before.live[at] ? '' : newPart(before.live[at] ?? '', text),
    );
    const said = changed.filter((text) => text !== '');
    if (said.length === 0) return;
    // An answer that comes in parts, such as a car and then its price, is read to its end.
    const hasGrown = now.live.every((text, at) => text.startsWith(before.live[at] ?? ''));
    if (hasGrown && !this.#hasActed) this.#sayAfter(said);
    else this.#say(said);
  }

  #reached(target: EventTarget | null): void {
    const control = target instanceof Element ? target.closest(CONTROLS) : null;
    if (control === null || control === this.#known) return;
    this.#known = control;
    this.#say([spokenText(control)]);
  }

  #onKey(event: KeyboardEvent): void {
    this.#hasActed = true;
    const step = NEXT_KEYS.has(event.key) ? 1 : BEFORE_KEYS.has(event.key) ? -1 : 0;
    // A list that is open has its own use of these keys.
    if (step === 0 || document.querySelector('[role=listbox]') !== null) return;
    const place = document.querySelector('dialog[open]') ?? document;
    const controls = [...place.querySelectorAll<HTMLElement>(CONTROLS)].filter((each) =>
      each.checkVisibility(),
    );
    const { activeElement } = document;
    const at = activeElement instanceof HTMLElement ? controls.indexOf(activeElement) : -1;
    const next =
      at < 0 && step < 0 ? controls.at(-1) : controls[(at + step + controls.length) % controls.length];
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
  }

  #onTouch(event: PointerEvent): void {
    this.#hasActed = true;
    const { target } = event;
    if (!(target instanceof Element)) return;
    const control = target.closest<HTMLElement>(CONTROLS);
    this.#asked = null;
    if (control !== null && control === this.#known) return;
    event.preventDefault();
    event.stopPropagation();
    this.#asked = control;
    if (control === null) {
      const unit = target.closest('h1, h2, p, li, dl, section');
      if (unit !== null) this.#say([spokenText(unit)]);
      return;
    }
    this.#known = control;
    control.focus({ preventScroll: true });
    this.#say([spokenText(control)]);
  }

  #onClick(event: MouseEvent): void {
    const control = event.target instanceof Element ? event.target.closest<HTMLElement>(CONTROLS) : null;
    if (control === null) return;
    const isQuestion = control === this.#asked;
    // Two quick touches are the question and the press: buttons leave out the second of a double tap.
    const isDoubleTap = event.detail > 1 && control.matches('.button');
    if (!isQuestion && !isDoubleTap) return;
    this.#asked = null;
    event.preventDefault();
    event.stopPropagation();
    if (!isQuestion) control.click();
  }

  /** Reads a text aloud in place of the present one. */
  #say(texts: readonly string[]): void {
    if (voiceOf(this.#language) === null) return;
    speechSynthesis.cancel();
    this.#sayAfter(texts);
  }

  /** Reads a text aloud once the present one is over. */
  #sayAfter(texts: readonly string[]): void {
    const voice = voiceOf(this.#language);
    if (voice === null) return;
    this.#hasActed = false;
    for (const text of texts) {
      const utterance = new SpeechSynthesisUtterance(text);
      utterance.lang = LOCALES[this.#language];
      utterance.voice = voice;
      speechSynthesis.speak(utterance);
    }
  }

  #sound(name: keyof typeof TONES): void {
    this.#audio ??= new AudioContext();
    const audio = this.#audio;
    TONES[name].forEach((frequency, at) => {
      const tone = new OscillatorNode(audio, { frequency });
      tone.connect(new GainNode(audio, { gain: 0.15 })).connect(audio.destination);
      tone.start(audio.currentTime + at * TONE_S);
      tone.stop(audio.currentTime + (at + 1) * TONE_S);
    });
  }
}
