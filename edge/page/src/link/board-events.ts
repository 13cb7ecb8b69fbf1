import type { BoardEvents, BoardState } from '@hlid/edge/local-api/lane-routes';

/** The others are for the technician's tools. */
type Shown = 'state' | 'board' | 'devices' | 'link' | 'beat';
export type BoardEvent = { [Name in Shown]: { name: Name; content: BoardEvents[Name] } }[Shown];

/** The daemon sends a beat every 10 s. */
const MAX_SILENCE_MS = 25_000;
const RECONNECT_MS = 2000;

const NAMES: readonly Shown[] = ['state', 'board', 'devices', 'link', 'beat'];

/**
 * Receives the events of the daemon, and reconnects after the connection was lost.
 *
 * @param onLost resolves with whether to connect again
 */
export function listenToBoard(
  onEvent: (event: BoardEvent) => void,
  onLost: () => Promise<boolean>,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  const source = new EventSource('/api/events');
  let silence: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(silence);
    source.close();
  };
  const reconnect = async () => {
    end();
    signal.removeEventListener('abort', end);
    if (await onLost()) setTimeout(() => listenToBoard(onEvent, onLost, signal), RECONNECT_MS);
  };
  const watchSilence = () => {
    clearTimeout(silence);
    silence = setTimeout(reconnect, MAX_SILENCE_MS);
  };
  for (const name of NAMES) {
    source.addEventListener(name, ({ data }) => {
      watchSilence();
      onEvent({ name, content: JSON.parse(data) });
    });
  }
  // A browser by itself does not reconnect after some answers, and slows down after others.
  source.addEventListener('error', reconnect);
  signal.addEventListener('abort', end);
  watchSilence();
}

/** The state after an event; null as long as nothing is known. */
export function nextState(state: BoardState | null, event: BoardEvent): BoardState | null {
  if (event.name === 'state') return event.content;
  if (state === null) return null;
  switch (event.name) {
    case 'board':
      return { ...state, at: event.content.at, board: event.content };
    case 'link':
      return { ...state, link: event.content };
    case 'devices':
    case 'beat':
      return { ...state, ...event.content };
  }
}
