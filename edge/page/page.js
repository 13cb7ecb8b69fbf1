import { listenToBoard } from './board-link.js';
import { nextBoard } from './board-state.js';
import { createDeviceBoard } from './device-board.js';
import { element } from './element.js';
import { createLaneCard, passageSentence } from './lane-card.js';
import { createTopBar } from './top-bar.js';
import { clockTime, fill, firstLanguage, keepLanguage, wordsOf } from './words.js';

/** @typedef {import('./lane-card.js').Setting} Setting */

const top = part('top');
const lost = part('lost');
const lanes = part('lanes');
const spoken = part('spoken');
const showDevices = createDeviceBoard(part('alarms'), part('devices'));

let language = firstLanguage();
/** @type {import('./board-state.js').BoardState | null} */
let board = null;
/** The time of the last event if the connection is lost; by this computer's clock. */
let lostSince = /** @type {string | null} */ (null);
let lastEventAt = new Date();
let drawn = false;

/** @type {Map<string, ReturnType<typeof createLaneCard>>} */
const cards = new Map();
const showTop = createTopBar(top, (chosen) => {
  language = chosen;
  keepLanguage(chosen);
  drawSoon();
});

/** @param {string} id */
function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}.`);
  return found;
}

/** Many changes at once draw the page once; a hidden page is not drawn. */
function drawSoon() {
  if (drawn) requestAnimationFrame(draw);
  drawn = false;
}

function draw() {
  drawn = true;
  const setting = settingNow();
  document.documentElement.lang = language;
  showTop(board, setting);
  lost.hidden = lostSince === null;
  lost.replaceChildren(...lostWords(setting));
  document.body.classList.toggle('stale', lostSince !== null);
  showDevices(board, setting);
  drawLanes(setting);
}

/** @param {Setting} setting */
function drawLanes(setting) {
  if (board === null) {
    lanes.replaceChildren(element('p', { class: 'quiet' }, setting.words.page.connecting));
    return;
  }
  const roots = board.lanes.map((lane) => {
    const card = cards.get(lane.id) ?? createLaneCard();
    cards.set(lane.id, card);
    const cameras = board?.cameras.filter(({ laneId }) => laneId === lane.id) ?? [];
    card.show(lane, cameras, setting);
    return card.root;
  });
  // Only if they have changed: an element that is moved restarts its animations.
  const inPlace =
    roots.length === lanes.childElementCount && roots.every((root, at) => lanes.children[at] === root);
  if (!inPlace) lanes.replaceChildren(...roots);
}

/** @returns {Setting} */
function settingNow() {
  const now = board?.at ?? new Date().toISOString();
  return { language, words: wordsOf(language), timeZone: board?.site.timeZone ?? 'UTC', now };
}

/** @param {Setting} setting */
function lostWords(setting) {
  if (lostSince === null) return [];
  const { page } = setting.words;
  const time = clockTime(lostSince, setting);
  return [element('strong', {}, fill(page.daemonLost, { time })), ` ${page.daemonLostMore}`];
}

draw();
listenToBoard({
  onEvent(event) {
    lastEventAt = new Date();
    lostSince = null;
    board = nextBoard(board, event);
    if (event.name === 'passage') {
      const lane = board?.lanes.find(({ id }) => id === event.content.laneId);
      if (lane) spoken.textContent = passageSentence(lane, event.content.passage, wordsOf(language));
    }
    drawSoon();
  },
  onLost() {
    lostSince ??= lastEventAt.toISOString();
    drawSoon();
  },
});
