import { carToOpenFor } from '@hlid/protocol/rules/passage-outcome';
import type { CommandAction } from '@hlid/protocol/site-link/commands';
import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { openText } from '@hlid/protocol/words/lanes/lane-texts';
import type { ReactNode } from 'react';
import { useLaneWords } from './lane-words.tsx';

export interface LaneActsProps {
  lane: LaneBoard;
  isFresh: boolean;
  onCommand: (action: CommandAction) => void;
  /** A gate can be kept closed from here. */
  closes?: boolean | undefined;
  /** Whether the person can do this here; absent: everything. */
  allows?: ((action: CommandAction) => boolean) | undefined;
  /** More buttons after these. */
  more?: ReactNode;
}

/** Every button has a fixed place, whatever happens at the lane: nothing moves under a pointer. */
export function LaneActs({
  lane,
  isFresh,
  onCommand,
  closes = false,
  allows = () => true,
  more,
}: LaneActsProps) {
  const words = useLaneWords();
  const { texts } = words;
  const { name, state, gate } = lane;
  if (gate.state === 'none') return more ? <div className="lane-acts">{more}</div> : null;
  const meant = carToOpenFor(lane);
  const opens = openText(meant, name, words);
  const mode = gate.order?.mode ?? 'automatic';
  const isHeld = mode !== 'automatic';
  const isKeptClosed = mode === 'kept-closed';
  const button = (action: Exclude<CommandAction, 'open'>, isPossible = true) =>
    allows(action) && (
      <button
        type="button"
        className="button plain"
        aria-label={`${texts[action]}: ${name}`}
        disabled={!isFresh || !isPossible}
        onClick={() => onCommand(action)}
      >
        {texts[action]}
      </button>
    );
  return (
    <div className="lane-acts">
      {allows('open') && (
        <button
          type="button"
          className={`button ${state === 'waiting' ? 'primary' : 'plain'}`}
          aria-label={opens}
          disabled={!isFresh}
          onClick={() => onCommand('open')}
        >
          {meant === null ? texts.open : opens}
        </button>
      )}
      {button(isHeld ? 'release' : 'hold')}
      {isKeptClosed ? button('hold') : closes && button('close', !isHeld)}
      {more}
    </div>
  );
}
