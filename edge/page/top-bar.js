import { element } from './element.js';
import { clockTime, countsAsOne, fill, LANGUAGES } from './words.js';

/** @typedef {import('./lane-card.js').Setting} Setting */
/** @typedef {import('./words.js').Language} Language */
/** @typedef {import('../src/local-api/lane-routes.ts').BoardState} BoardState */

const NAMES = { is: 'Íslenska', en: 'English' };

/**
 * The site's name, the cars inside, the link to the cloud, the choice of language, and a way to lock the page.
 *
 * @param {HTMLElement} root
 * @param {{choose: (language: Language) => void, lock: () => void}} listener
 * @returns {(board: BoardState | null, access: {hasSession: boolean}, setting: Setting) => void} shows them
 */
export function createTopBar(root, { choose, lock }) {
  const name = element('h1', {});
  const zones = element('ul', { class: 'zones', role: 'list' });
  const locking = element('button', { type: 'button', class: 'button', hidden: '' });
  locking.addEventListener('click', lock);
  const link = element('div', { class: 'link' });
  const buttons = LANGUAGES.map((language) => {
    const button = element('button', { type: 'button', lang: language, title: NAMES[language] });
    button.append(
      element('span', { 'aria-hidden': 'true' }, language.toUpperCase()),
      element('span', { class: 'unseen' }, NAMES[language]),
    );
    button.addEventListener('click', () => choose(language));
    return { language, button };
  });
  const languages = element(
    'div',
    { class: 'languages', role: 'group' },
    ...buttons.map(({ button }) => button),
  );
  const mark = element('img', { src: '/icon.svg', alt: '', width: '32', height: '32' });
  root.replaceChildren(element('div', { class: 'site' }, mark, name), zones, link, locking, languages);

  return (board, { hasSession }, setting) => {
    const { page } = setting.words;
    locking.hidden = !hasSession;
    locking.textContent = page.pin.lock;
    zones.hidden = board === null;
    zones.replaceChildren(...(board?.board.zones ?? []).map((zone) => zoneItem(zone, setting)));
    zones.setAttribute('aria-label', page.zones.title);
    name.textContent = board?.site.name ?? 'Hlið';
    document.title = board ? `${board.site.name} – ${page.title}` : 'Hlið';
    languages.setAttribute('aria-label', page.language);
    for (const { language, button } of buttons) {
      button.setAttribute('aria-pressed', String(language === setting.language));
    }
    link.hidden = board === null;
    if (board === null) return;
    const view = board.link;
    link.dataset['link'] = view === null ? 'alone' : view.connected ? 'connected' : 'away';
    link.replaceChildren(
      element('p', {}, element('span', { class: 'dot', 'aria-hidden': 'true' }), ...linkWords(view, setting)),
    );
    if (view?.lastError) link.append(element('p', { class: 'detail' }, view.lastError));
  };
}

/**
 * Cars inside and places free; the site itself has its name in the heading.
 *
 * @param {BoardState['board']['zones'][number]} zone
 * @param {Setting} setting
 */
function zoneItem({ id, name, inside, free }, { words, language }) {
  const { zones } = words.page;
  const full = free === 0 ? zones.full : fill(zones.free, { n: grouped(language, free ?? 0) });
  const item = element(
    'li',
    {},
    id === null ? null : `${name}: `,
    element('strong', {}, fill(zones.inside, { n: grouped(language, inside) })),
    free === null ? null : `, ${full}`,
  );
  item.classList.toggle('full', free === 0);
  return item;
}

/**
 * @param {BoardState['link']} view
 * @param {Setting} setting
 */
function linkWords(view, setting) {
  const words = setting.words.page.link;
  if (view === null) return [words.alone];
  const state = view.connected ? words.connected : fill(words.away, { time: clockTime(view.since, setting) });
  const n = Math.max(0, view.seq - view.acknowledged);
  const waiting = countsAsOne(setting.language, n) ? words.waitingOne : words.waitingMany;
  const rest = n === 0 ? words.upToDate : fill(waiting, { n: grouped(setting.language, n) });
  return [element('strong', {}, state), element('span', { class: 'waiting' }, rest)];
}

/**
 * Thousands grouped as the language does; browsers bring along little Icelandic.
 *
 * @param {Language} language
 * @param {number} n
 */
function grouped(language, n) {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, language === 'is' ? '.' : ',');
}
