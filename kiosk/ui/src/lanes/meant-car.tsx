import { carToOpenFor } from '@hlid/protocol/rules/passage-outcome';
import type { CarAtGate } from '@hlid/protocol/site-link/commands';
import type { BoardCar, LaneBoard } from '@hlid/protocol/site-link/site-board';
import { useState } from 'react';

/** The car for which a gate is opened. */
export type MeantCar = Pick<BoardCar, 'passageId' | 'visitId' | 'plate'> &
  Partial<Pick<BoardCar, 'due' | 'reason'>>;

/** Another car that stands there by now. */
export type OtherCar = MeantCar | CarAtGate;

/**
 * The car that stood at a lane when a person began to open it. The site refuses to open for another one.
 *
 * @param refused the car for which the site has refused it; null: none stands there; undefined: it has not
 */
export function useMeantCar(lane: LaneBoard, refused: CarAtGate | null | undefined) {
  const [meant, setMeant] = useState<MeantCar | null>(() => carToOpenFor(lane));
  const shown = carToOpenFor(lane);
  const isStill = shown?.passageId === meant?.passageId;
  const found = refused !== undefined ? refused : isStill ? undefined : shown;
  return {
    meant,
    setMeant,
    /** The debt on the newest board: the amount grows while the person decides. */
    due: (isStill ? shown?.due : meant?.due) ?? null,
    /** Another car stands there by now; null: none does; undefined: it is still the same. */
    other: found && (found.passageId === shown?.passageId ? shown : found),
  };
}
