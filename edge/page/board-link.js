/** @typedef {import('./board-state.js').BoardEvent} BoardEvent */

/** The daemon sends a beat every 10 s. */
const MAX_SILENCE_MS = 25_000;
const RECONNECT_MS = 2000;

/** @type {readonly BoardEvent['name'][]} */
const NAMES = ['state', 'board', 'devices', 'link', 'beat'];

/**
 * Receives the events of the daemon, and reconnects after the connection was lost, as long as that is wanted.
 *
 * @param {{onEvent: (event: BoardEvent) => void, onLost: () => Promise<boolean>}} listener `onLost` resolves with
 *   whether to connect again
 */
export function listenToBoard({ onEvent, onLost }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence;
  const source = new EventSource('/api/events');

  async function reconnect() {
    clearTimeout(silence);
    source.close();
    if (await onLost()) setTimeout(() => listenToBoard({ onEvent, onLost }), RECONNECT_MS);
  }

  function watchSilence() {
    clearTimeout(silence);
    silence = setTimeout(reconnect, MAX_SILENCE_MS);
  }

  for (const name of NAMES) {
    source.addEventListener(name, (message) => {
      watchSilence();
      onEvent({ name, content: JSON.parse(message.data) });
    });
  }
  // A browser by itself does not reconnect after some answers, and slows down after others.
  source.addEventListener('error', reconnect);
  watchSilence();
}
