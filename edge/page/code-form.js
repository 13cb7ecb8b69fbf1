import { pinProblem, send } from './access.js';
import { element } from './element.js';
import { pinField } from './pin-form.js';
import { fill } from './words.js';

/** @typedef {import('./lane-card.js').Setting} Setting */
/** @typedef {import('./board-state.js').BoardState} BoardState */

/**
 * Takes the code of a payment by phone that the site could not receive, as its driver reads it to an operator
 * on site. Folded until it is needed; only at a site with a cloud.
 *
 * @param {HTMLElement} root
 * @param {{mayAct: () => boolean, onDone: (text: string) => void, onPin: () => void}} listener
 * @returns {{show: (state: BoardState | null, setting: Setting) => void, isInUse: () => boolean}}
 */
export function createCodeForm(root, { mayAct, onDone, onPin }) {
  const summary = element('summary', {});
  const meaning = element('p', {});
  const plate = element('input', {
    type: 'text',
    required: '',
    maxlength: '40',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    translate: 'no',
  });
  const code = element('input', {
    type: 'text',
    required: '',
    maxlength: '40',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    translate: 'no',
  });
  const pin = pinField();
  const labels = { plate: element('span', {}), code: element('span', {}), pin: element('span', {}) };
  const pinLabel = element('label', {}, labels.pin, pin);
  const problem = element('p', { class: 'problem', role: 'alert' });
  const button = element('button', { type: 'submit', class: 'button primary' });
  const form = element(
    'form',
    { class: 'command' },
    meaning,
    element('label', {}, labels.plate, plate),
    element('label', {}, labels.code, code),
    problem,
    element('div', { class: 'choices' }, button),
  );
  const details = element('details', {}, summary, form);
  root.replaceChildren(details);
  /** @type {{state: BoardState | null, setting: Setting} | undefined} */
  let shown;

  // Only while it is needed: the page may have another field for the PIN.
  const showPin = (/** @type {boolean} */ needed) => {
    if (needed) problem.before(pinLabel);
    else pinLabel.remove();
  };
  details.addEventListener('toggle', () => {
    if (!details.open) return;
    showPin(!mayAct());
    if (plate.value === '') plate.value = firstWaiting(shown?.state ?? null);
    (plate.value === '' ? plate : code).focus();
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled || !shown) return;
    const { words } = shown.setting;
    button.disabled = true;
    problem.textContent = '';
    const refusal = await sendCode();
    button.disabled = false;
    if (refusal === 'pin') {
      showPin(true);
      pin.focus();
    } else if (refusal !== null) problem.textContent = refusal;
    else {
      onDone(fill(words.page.code.done, { plate: plate.value.trim() }));
      form.reset();
      details.open = false;
    }
  });

  /** @returns {Promise<string | null>} why it is not accepted; `pin`: the PIN is needed; null: it is */
  async function sendCode() {
    const { words } = /** @type {{setting: Setting}} */ (shown).setting;
    if (pinLabel.isConnected) {
      const refused = pinProblem(
        await send('POST', '/api/access', { pin: pin.value.trim() }),
        words.page.pin,
      );
      pin.value = '';
      onPin();
      if (refused !== '') return refused;
      showPin(false);
    }
    const answer = await send('POST', '/api/codes', { plate: plate.value.trim(), code: code.value.trim() });
    if (answer.status === 200) return null;
    if (answer.code === 'pin-needed') return 'pin';
    /** @type {Record<string, string | undefined>} */
    const faults = words.page.code.faults;
    return faults[answer.code] ?? [words.page.acts.failed, ...answer.messages].join(' ');
  }

  return {
    show(state, setting) {
      shown = { state, setting };
      const { code: words, pin: pinWords } = setting.words.page;
      root.hidden = state === null || state.link === null;
      summary.textContent = words.title;
      meaning.textContent = words.meaning;
      labels.plate.textContent = words.plate;
      labels.code.textContent = words.code;
      labels.pin.textContent = pinWords.label;
      button.textContent = words.send;
    },
    isInUse: () => details.open && (plate.value !== '' || code.value !== ''),
  };
}

/**
 * The plate of the car that has waited longest: most likely it is meant.
 *
 * @param {BoardState | null} state
 */
function firstWaiting(state) {
  const [laneId] = state?.board.waiting ?? [];
  return state?.board.lanes.find(({ id }) => id === laneId)?.car?.plate ?? '';
}
