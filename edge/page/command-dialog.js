import { pinProblem, send } from './access.js';
import { element } from './element.js';
import { pinField } from './pin-form.js';
import { fill, lengthText } from './words.js';

/** @typedef {import('./lane-card.js').Setting} Setting */
/** @typedef {{action: 'open' | 'hold' | 'release', laneId: string, lane: string, passageId: string | null, plate: string | null}} Act */

/** The usual reasons of people on site, by action; all others follow. */
const USUAL_REASONS = {
  open: ['unreadable-plate', 'wrong-plate', 'cannot-pay', 'paid-elsewhere', 'guest', 'delivery'],
  hold: ['event', 'works', 'emergency', 'device-fault'],
  release: ['event', 'works', 'test'],
};

/**
 * Asks for the reason of a command, and for the PIN where that has lapsed, and sends it.
 *
 * @param {{mayAct: () => boolean, onDone: (text: string) => void, onPin: () => void}} listener
 * @returns {{root: HTMLDialogElement, ask: (act: Act, setting: Setting) => void}}
 */
export function createCommandDialog({ mayAct, onDone, onPin }) {
  const root = element('dialog', { class: 'dialog', 'aria-labelledby': 'command-title' });

  return {
    root,
    ask(act, setting) {
      if (root.open) return;
      const parts = commandForm(act, setting);
      const { form, problem, send: button, cancel, pin } = parts;
      const showPin = (/** @type {boolean} */ needed) => {
        parts.pinLabel.hidden = !needed;
        pin.disabled = !needed;
      };
      showPin(!mayAct());
      cancel.addEventListener('click', () => root.close());
      form.addEventListener('submit', async (event) => {
        event.preventDefault();
        if (button.disabled) return;
        button.disabled = true;
        problem.textContent = '';
        const refusal = await sendCommand(act, parts, setting);
        button.disabled = false;
        if (!pin.disabled && refusal !== 'pin') onPin();
        if (refusal === null) {
          root.close();
          onDone(fill(setting.words.page.acts.done[act.action], { lane: act.lane }));
        } else if (refusal === 'pin') {
          showPin(true);
          pin.focus();
        } else problem.textContent = refusal;
      });
      root.replaceChildren(form);
      root.showModal();
    },
  };
}

/**
 * @param {Act} act
 * @param {Setting} setting
 */
function commandForm({ action, lane, plate }, setting) {
  const { limits } = setting.words;
  const { acts, pin: pinWords } = setting.words.page;
  const title = plate === null ? acts.titles[action] : acts.titles.openFor;
  const reason = element('select', { required: '' }, element('option', { value: '' }, acts.choose));
  const words = Object.entries(setting.words.gateReasons);
  const rank = (/** @type {string} */ code) => (USUAL_REASONS[action].includes(code) ? 0 : 1);
  for (const [code, text] of words.toSorted(([one], [other]) => rank(one) - rank(other))) {
    reason.append(element('option', { value: code }, text));
  }
  const note = element('input', { type: 'text', maxlength: String(limits.maxNote), autocomplete: 'off' });
  const noteText = element('span', {}, acts.note);
  reason.addEventListener('change', () => {
    note.required = reason.value === 'other';
    noteText.textContent = note.required ? acts.noteNeeded : acts.note;
  });
  const minutes = element('select', {});
  for (const n of limits.holdMinutes) {
    const chosen = n === limits.usualHoldMinutes ? { selected: '' } : {};
    minutes.append(element('option', { value: String(n), ...chosen }, lengthText(n * 60_000, setting)));
  }
  const pin = pinField();
  const pinLabel = element('label', {}, element('span', {}, pinWords.label), pin);
  const problem = element('p', { class: 'problem', role: 'alert' });
  const cancel = element('button', { type: 'button', class: 'button' }, acts.cancel);
  const button = element('button', { type: 'submit', class: 'button primary' }, acts.send[action]);
  const form = element(
    'form',
    { class: 'command' },
    element('h2', { id: 'command-title' }, fill(title, { lane, plate: plate ?? '' })),
    element('p', {}, acts.meaning[action]),
    element('label', {}, element('span', {}, acts.reason), reason),
    element('label', {}, noteText, note),
    action === 'hold' && element('label', {}, element('span', {}, acts.holdFor), minutes),
    pinLabel,
    problem,
    element('div', { class: 'choices' }, cancel, button),
  );
  return { form, reason, note, minutes, pin, pinLabel, problem, cancel, send: button };
}

/**
 * Why it was not done; `pin`: the PIN is needed; null: it was done.
 *
 * @param {Act} act
 * @param {ReturnType<typeof commandForm>} parts
 * @param {Setting} setting
 * @returns {Promise<string | null>}
 */
async function sendCommand(act, { reason, note, minutes, pin }, { words }) {
  const { acts, pin: pinWords, gateErrors } = words.page;
  if (!pin.disabled) {
    const problem = pinProblem(await send('POST', '/api/access', { pin: pin.value.trim() }), pinWords);
    pin.value = '';
    if (problem !== '') return problem;
    pin.disabled = true;
  }
  const { action, laneId, passageId } = act;
  const answer = await send('POST', `/api/lanes/${encodeURIComponent(laneId)}/commands`, {
    action,
    reasonCode: reason.value,
    note: note.value.trim(),
    ...(action !== 'release' && { passageId }),
    ...(action === 'hold' && { lapseMinutes: Number(minutes.value) }),
  });
  const { status, code, outcome, car, messages } = answer;
  if (code === 'pin-needed') return 'pin';
  if (code === 'other-car') {
    const plate = car?.plate ?? words.page.noPlate;
    return car ? fill(acts.otherCar, { plate }) : acts.carGone;
  }
  if (status !== 200) return [acts.failed, ...messages].join(' ');
  if (outcome === 'done') return null;
  /** @type {Record<string, string | undefined>} */
  const errors = gateErrors;
  return errors[outcome ?? ''] ?? acts.failed;
}
