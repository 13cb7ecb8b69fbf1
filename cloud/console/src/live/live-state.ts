/** How fresh what the page shows is. */
export interface LiveState {
  isConnected: boolean;
  /** No message was received for too long: the page may show old data. */
  isStale: boolean;
  /** The time of the last message from the cloud; `Date.now()`. */
  receivedAt: number;
}

export const FIRST_STATE: LiveState = { isConnected: false, isStale: false, receivedAt: Date.now() };

export type LiveEvent = { kind: 'heard' | 'lost' | 'silent'; at: number };

export function nextLiveState(state: LiveState, { kind, at }: LiveEvent): LiveState {
  switch (kind) {
    case 'heard':
      return { isConnected: true, isStale: false, receivedAt: at };
    case 'lost':
      return { ...state, isConnected: false };
    case 'silent':
      return { ...state, isConnected: false, isStale: true };
    default:
      return kind satisfies never;
  }
}
