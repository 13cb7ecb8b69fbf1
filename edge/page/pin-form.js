import { pinProblem, send } from './access.js';
import { element } from './element.js';

/** @typedef {import('./lane-card.js').Setting} Setting */

/**
 * In place of the lanes, if they must not be seen without the PIN.
 *
 * @param {() => void} onEntered
 * @returns {{root: HTMLElement, show: (setting: Setting) => void, isInUse: () => boolean}}
 */
export function createPinForm(onEntered) {
  const title = element('h2', {});
  const label = element('span', {});
  const field = pinField();
  const problem = element('p', { class: 'problem', role: 'alert' });
  const button = element('button', { type: 'submit', class: 'button primary' });
  const form = element('form', { class: 'pin' }, title, element('label', {}, label, field), problem, button);
  /** @type {Setting['words']['page']['pin'] | undefined} */
  let words;

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled || !words) return;
    button.disabled = true;
    const answer = await send('POST', '/api/access', { pin: field.value.trim() });
    button.disabled = false;
    field.value = '';
    problem.textContent = pinProblem(answer, words);
    if (answer.status === 200) onEntered();
    else field.focus();
  });

  return {
    root: form,
    isInUse: () => field.value !== '',
    show(setting) {
      words = setting.words.page.pin;
      title.textContent = words.title;
      label.textContent = words.label;
      button.textContent = words.enter;
    },
  };
}

/** No name under which a browser would keep it. */
export function pinField() {
  return element('input', {
    type: 'password',
    inputmode: 'numeric',
    autocomplete: 'one-time-code',
    required: '',
    maxlength: '20',
  });
}
