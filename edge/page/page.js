import { isOutdated, readAccess, send } from './access.js';
import { listenToBoard } from './board-link.js';
import { nextState } from './board-state.js';
import { createCodeForm } from './code-form.js';
import { createCommandDialog } from './command-dialog.js';
import { createDeviceBoard } from './device-board.js';
import { element } from './element.js';
import { createLaneCard, passageSentence } from './lane-card.js';
import { createPinForm } from './pin-form.js';
import { createTopBar } from './top-bar.js';
import { createWaitingList } from './waiting-list.js';
import { clockTime, fill, firstLanguage, keepLanguage, wordsOf } from './words.js';

/** @typedef {import('./lane-card.js').Setting} Setting */

/** "2 min ago" becomes "3 min ago" without any event. */
const REDRAW_MS = 5000;

const lost = part('lost');
const lanes = part('lanes');
const spoken = part('spoken');
const showDevices = createDeviceBoard(part('alarms'), part('devices'));
const showWaiting = createWaitingList(part('waiting'));

let language = firstLanguage();
/** @type {import('./board-state.js').BoardState | null} */
let state = null;
/** When the state came, by a monotonic clock. */
let stateCameAt = 0;
/** @type {import('./access.js').Access} */
let access = { mayView: true, mayAct: true, hasSession: false };
/** The time of the last event if the connection is lost; by this computer's clock. */
let lostSince = /** @type {string | null} */ (null);
let lastEventAt = new Date();
let drawn = false;

/** @type {Map<string, ReturnType<typeof createLaneCard>>} */
const cards = new Map();
const showTop = createTopBar(part('top'), {
  choose(chosen) {
    language = chosen;
    keepLanguage(chosen);
    drawSoon();
  },
  async lock() {
    await send('DELETE', '/api/access', {});
    location.reload();
  },
});
const pinForm = createPinForm(() => void connect());
const dialog = createCommandDialog({
  mayAct: () => access.mayAct,
  onDone: (text) => {
    spoken.textContent = text;
  },
  onPin: () => void updateAccess(),
});
document.body.append(dialog.root);
const codeForm = createCodeForm(part('code'), {
  mayAct: () => access.mayAct,
  onDone: (text) => {
    spoken.textContent = text;
  },
  onPin: () => void updateAccess(),
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
  showTop(state, { hasSession: access.hasSession }, setting);
  lost.hidden = lostSince === null || !access.mayView;
  lost.replaceChildren(...lostWords(setting));
  document.body.classList.toggle('stale', lostSince !== null);
  showDevices(state, setting);
  showWaiting(state, setting);
  codeForm.show(state, setting);
  drawLanes(setting);
}

/** @param {Setting} setting */
function drawLanes(setting) {
  if (!access.mayView) {
    pinForm.show(setting);
    if (pinForm.root.parentElement !== lanes) lanes.replaceChildren(pinForm.root);
    return;
  }
  if (state === null) {
    lanes.replaceChildren(element('p', { class: 'quiet' }, setting.words.page.connecting));
    return;
  }
  const { board, cameras } = state;
  lanes.style.setProperty('--lanes', String(board.lanes.length));
  const roots = board.lanes.map((lane) => {
    const card = cards.get(lane.id) ?? createLaneCard((act) => dialog.ask(act, settingNow()));
    cards.set(lane.id, card);
    const own = cameras.filter(({ laneId }) => laneId === lane.id);
    card.show(lane, { board, cameras: own, lost: lostSince !== null }, setting);
    return card.root;
  });
  // Only if they have changed: an element that is moved restarts its animations.
  const inPlace =
    roots.length === lanes.childElementCount && roots.every((root, at) => lanes.children[at] === root);
  if (!inPlace) lanes.replaceChildren(...roots);
}

/**
 * The time is the site's; it stands still while the connection is lost.
 *
 * @returns {Setting}
 */
function settingNow() {
  const sinceMs = lostSince === null ? performance.now() - stateCameAt : 0;
  const now = state === null ? new Date() : new Date(Date.parse(state.at) + sinceMs);
  const timeZone = state?.site.timeZone ?? 'UTC';
  return { language, words: wordsOf(language), timeZone, now: now.toISOString() };
}

/** @param {Setting} setting */
function lostWords(setting) {
  if (lostSince === null) return [];
  const { page } = setting.words;
  const time = clockTime(lostSince, setting);
  return [element('strong', {}, fill(page.daemonLost, { time })), ` ${page.daemonLostMore}`];
}

/**
 * Announces what is new at the lanes.
 *
 * @param {import('./board-state.js').BoardState | null} before
 * @param {import('./board-state.js').BoardState | null} after
 */
function speak(before, after) {
  if (!before || !after) return;
  const words = wordsOf(language);
  const sentences = after.board.lanes.flatMap((lane) => {
    const known = before.board.lanes.find(({ id }) => id === lane.id)?.car;
    const isNew = known?.passageId !== lane.car?.passageId || known?.open !== lane.car?.open;
    return lane.car && isNew ? [passageSentence(lane, lane.car, words)] : [];
  });
  if (sentences.length > 0) spoken.textContent = sentences.join(' ');
}

/** @returns {Promise<boolean>} whether the page may show the lanes, as far as is known */
async function updateAccess() {
  access = (await readAccess()) ?? access;
  reloadWhenIdle();
  if (!access.mayView) state = null;
  drawSoon();
  return access.mayView;
}

/**
 * Reloads after the daemon was upgraded; if a command or a text is being entered, as soon as that is over.
 */
function reloadWhenIdle() {
  if (isOutdated() && !dialog.root.open && !codeForm.isInUse() && !pinForm.isInUse()) location.reload();
}

async function connect() {
  if (!(await updateAccess())) return;
  listenToBoard({
    onEvent(event) {
      lastEventAt = new Date();
      lostSince = null;
      const before = state;
      state = nextState(state, event);
      if (event.name !== 'link' && event.name !== 'devices') stateCameAt = performance.now();
      // A daemon that answers again may be a newer one.
      if (event.name === 'state') void updateAccess();
      if (event.name === 'board') speak(before, state);
      drawSoon();
    },
    onLost() {
      lostSince ??= lastEventAt.toISOString();
      drawSoon();
      return updateAccess();
    },
  });
}

draw();
void connect();
setInterval(() => {
  drawSoon();
  reloadWhenIdle();
}, REDRAW_MS);
