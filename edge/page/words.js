/** @typedef {import('../src/local-api/pages.ts').LanePageWords} Words */
/** @typedef {'is' | 'en'} Language */

const KEPT_AS = 'hlid.language';

/** @type {Record<Language, Words>} */
const ALL_WORDS = JSON.parse(document.getElementById('words')?.textContent ?? '');

/** @type {readonly Language[]} */
export const LANGUAGES = ['is', 'en'];

/**
 * The first language: that of the address (`?lang=is`), what was chosen here before, what the browser
 * prefers, English.
 *
 * @returns {Language}
 */
export function firstLanguage() {
  const fromAddress = new URLSearchParams(location.search).get('lang');
  const codes = [
    fromAddress,
    localStorage.getItem(KEPT_AS),
    ...navigator.languages.map((tag) => tag.slice(0, 2)),
  ];
  for (const code of codes) {
    const language = LANGUAGES.find((known) => known === code);
    if (language) return language;
  }
  return 'en';
}

/** @param {Language} language */
export function keepLanguage(language) {
  localStorage.setItem(KEPT_AS, language);
}

/**
 * @param {Language} language
 * @returns {Words}
 */
export function wordsOf(language) {
  const words = ALL_WORDS[language];
  const { page } = words;
  return {
    ...words,
    page: {
      ...page,
      directions: withCodes(page.directions),
    },
    reasons: withCodes(words.reasons),
    flags: withCodes(words.flags),
    states: {
      ...words.states,
      gate: withCodes(words.states.gate),
      gateMode: withCodes(words.states.gateMode),
      passage: withCodes(words.states.passage),
    },
    gateReasons: withCodes(words.gateReasons),
    alerts: withCodes(words.alerts),
    devices: {
      ...words.devices,
      kinds: withCodes(words.devices.kinds),
      states: withCodes(words.devices.states),
    },
  };
}

/**
 * The texts of codes. The daemon may be newer than this page: a code without a text is shown as it is.
 *
 * @template {Record<string, string>} Texts
 * @param {Texts} texts
 * @returns {Texts}
 */
function withCodes(texts) {
  return new Proxy(texts, {
    get: (known, code) => Reflect.get(known, code) ?? String(code).replaceAll('-', ' '),
  });
}

/**
 * @param {string} words with `{…}` to fill in
 * @param {Record<string, string | number>} values
 */
export function fill(words, values) {
  return words.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/**
 * Which form of a word goes with a number: in Icelandic 1, 21, 31 … are one.
 *
 * @param {Language} language
 * @param {number} n
 */
export function countsAsOne(language, n) {
  return language === 'is' ? n % 10 === 1 && n % 100 !== 11 : n === 1;
}

/**
 * A moment as a clock at the site shows it, with the day where it is not today's.
 *
 * @param {string} moment
 * @param {{language: Language, timeZone: string, now: string}} context
 */
export function clockTime(moment, { language, timeZone, now }) {
  const there = partsOf(moment, timeZone);
  const today = partsOf(now, timeZone);
  const time = `${there['hour']}:${there['minute']}:${there['second']}`;
  if (there['day'] === today['day'] && there['month'] === today['month']) return time;
  // Browsers bring along few words of Icelandic; numbers do.
  const day = language === 'is' ? `${there['day']}.${there['month']}.` : `${there['day']}/${there['month']}`;
  return `${day} ${time}`;
}

/**
 * How long something lasts, in the two largest units that people use.
 *
 * @param {number} ms
 * @param {{words: Words}} setting
 */
export function lengthText(ms, { words }) {
  const { length } = words.page;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes < 1) return fill(length.seconds, { n: seconds });
  if (hours < 1) return fill(length.minutes, { n: minutes });
  if (minutes % 60 === 0 || hours >= 24) return fill(length.hours, { n: hours });
  return `${fill(length.hours, { n: hours })} ${fill(length.minutes, { n: minutes % 60 })}`;
}

/**
 * How long ago something was.
 *
 * @param {number} ms
 * @param {{words: Words}} setting
 */
export function agoText(ms, { words }) {
  const { ago } = words.page;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return ago.now;
  if (minutes < 60) return fill(ago.minutes, { n: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? fill(ago.hours, { n: hours }) : fill(ago.days, { n: Math.floor(hours / 24) });
}

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * @param {string} moment
 * @param {string} timeZone
 * @returns {Record<string, string>}
 */
function partsOf(moment, timeZone) {
  let format = formats.get(timeZone);
  if (!format) {
    const two = /** @type {const} */ ('2-digit');
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      day: 'numeric',
      month: 'numeric',
      hour: two,
      minute: two,
      second: two,
    });
    formats.set(timeZone, format);
  }
  return Object.fromEntries(format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]));
}
