import { ImageOff } from 'lucide-react';
import { type PointerEvent, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useShortcut } from '../../shell/shortcuts.tsx';
import type { ReviewCase } from './review-calls.ts';
import { REVIEW } from './review-words.ts';

const MIDDLE = { x: 50, y: 60 };
const STEP = 15;
const MOVES = { arrowleft: [-1, 0], arrowright: [1, 0], arrowup: [0, -1], arrowdown: [0, 1] } as const;

/** The picture of the first case. Those of the next ones are loaded already, and wait unseen. */
export function CasePicture({ cases, name }: { cases: readonly ReviewCase[]; name: string }) {
  const [zoomed, setZoomed] = useState<string | null>(null);
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const [place, setPlace] = useState(MIDDLE);
  const [shown] = cases;
  const isZoomed = shown !== undefined && zoomed === shown.id;
  const toggle = () => {
    setPlace(MIDDLE);
    setZoomed(isZoomed || shown === undefined ? null : shown.id);
  };
  const move = ([x, y]: readonly [number, number]) =>
    setPlace((from) => ({ x: within(from.x + x * STEP), y: within(from.y + y * STEP) }));
  const follow = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    setPlace({
      x: within((100 * (clientX - left)) / width),
      y: within((100 * (clientY - top)) / height),
    });
  };
  useShortcut('space', REVIEW.zoom, toggle);
  useShortcut('arrowleft', REVIEW.zoom, isZoomed ? () => move(MOVES.arrowleft) : null);
  useShortcut('arrowright', REVIEW.zoom, isZoomed ? () => move(MOVES.arrowright) : null);
  useShortcut('arrowup', REVIEW.zoom, isZoomed ? () => move(MOVES.arrowup) : null);
  useShortcut('arrowdown', REVIEW.zoom, isZoomed ? () => move(MOVES.arrowdown) : null);
  return (
    <div className="case-picture" onPointerMove={isZoomed ? follow : undefined}>
      <AriaButton aria-label={`${name}. ${REVIEW.zoom}`} aria-pressed={isZoomed} onPress={toggle}>
        {cases.map(({ id, url, plateUrl }) => {
          const src = url ?? plateUrl;
          if (src === null || broken.has(id)) return null;
          return (
            <img
              key={id}
              src={src}
              alt=""
              decoding="sync"
              hidden={id !== shown?.id}
              style={isZoomed ? { scale: '2.5', transformOrigin: `${place.x}% ${place.y}%` } : {}}
              onError={() => setBroken(new Set([...broken, id]))}
            />
          );
        })}
        {shown !== undefined && broken.has(shown.id) && (
          <span className="picture missing">
            <ImageOff size={16} aria-hidden="true" /> {REVIEW.noPicture}
          </span>
        )}
      </AriaButton>
    </div>
  );
}

function within(percent: number): number {
  return Math.min(100, Math.max(0, percent));
}
