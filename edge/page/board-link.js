/** @typedef {import('./board-state.js').BoardEvent} BoardEvent */

/** The daemon says something every 10 s, even when nothing happens. */
const SILENT_TOO_LONG_MS = 25_000;
const TRY_AGAIN_MS = 2000;

/** @type {readonly BoardEvent['name'][]} */
const NAMES = ['state', 'passage', 'gate', 'instruction', 'devices', 'link', 'beat'];

/**
 * Listens to the daemon for as long as the page is there, and comes back when it was lost.
 *
 * @param {{heard: (event: BoardEvent) => void, lost: () => void}} listener
 */
export function listenToBoard({ heard, lost }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let silence;
  const source = new EventSource('/api/events');

  function startOver() {
    clearTimeout(silence);
    source.close();
    lost();
    setTimeout(() => listenToBoard({ heard, lost }), TRY_AGAIN_MS);
  }

  function listenOn() {
    clearTimeout(silence);
    silence = setTimeout(startOver, SILENT_TOO_LONG_MS);
  }

  for (const name of NAMES) {
    source.addEventListener(name, (message) => {
      listenOn();
      heard({ name, content: JSON.parse(message.data) });
    });
  }
  // The browser's own way of trying again gives up on some answers, and slows down in others.
  source.addEventListener('error', startOver);
  listenOn();
}
