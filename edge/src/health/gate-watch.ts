import type { Gate, GateLogin } from '../gate/gate.ts';
import type { LaneBoard } from '../local-api/lane-board.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
import { type Sign, WELL } from './device-health.ts';
import type { HealthBook } from './health-book.ts';
import { gateSign, loginSign, onvifSign } from './site-signs.ts';

/** Reports how the gates are: by their last movements, and by what their devices say of our login. */
export interface GateWatch {
  look(): void;
  stop(): void;
}

export function createGateWatch(parts: {
  book: Pick<HealthBook, 'report'>;
  board: Pick<LaneBoard, 'subscribe'>;
  /** By lane. */
  onvif: ReadonlyMap<string, OnvifDevice>;
  /** Of the gates whose drivers log in for themselves. */
  logins: ReadonlyMap<string, GateLogin>;
  /** By lane: what keeps a gate from moving though its device answers. */
  problems: ReadonlyMap<string, NonNullable<Gate['problem']>>;
  /** A gate has not done as it was told: a car stands before it. */
  onTrouble: () => void;
}): GateWatch {
  const { book } = parts;
  /** What each gate's last movement came to; a gate that has not moved yet is neither well nor failing. */
  const movements = new Map<string, Sign>();

  const unsubscribe = parts.board.subscribe((news) => {
    const sign = 'gate' in news ? gateSign(news.gate) : null;
    if (sign === null) return;
    movements.set(news.laneId, sign);
    if (sign !== WELL) parts.onTrouble();
  });

  return {
    look() {
      for (const [id, sign] of movements) book.report({ kind: 'gate', id }, 'movement', sign);
      for (const [id, device] of parts.onvif) {
        const gate = { kind: 'gate', id } as const;
        const state = device.state();
        book.report(gate, 'onvif', onvifSign(state));
        // What it did not do says less than that it does not let us in.
        if (state.state === 'login-refused') book.report(gate, 'movement', null);
      }
      for (const [id, problem] of parts.problems) {
        const detail = problem();
        const sign = detail === null ? null : ({ state: 'failing', detail } as const);
        book.report({ kind: 'gate', id }, 'relay', sign);
      }
      for (const [id, login] of parts.logins) {
        const gate = { kind: 'gate', id } as const;
        const state = login.state();
        book.report(gate, 'login', loginSign(state));
        if (state !== 'refused') continue;
        movements.delete(id);
        book.report(gate, 'movement', null);
      }
    },
    stop: unsubscribe,
  };
}
