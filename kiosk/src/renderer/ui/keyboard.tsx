import { type ReactNode, type PointerEvent as ReactPointerEvent, useEffect, useRef } from 'react';
import { useKiosk } from '../kiosk-context.ts';
import { Icon } from './icon.tsx';

/**
 * The time within which a finger that bounces off the screen presses the same key twice; no person types so
 * fast.
 */
const BOUNCE_MS = 60;
const ERASE_REPEAT_AFTER_MS = 450;
const ERASE_REPEAT_EVERY_MS = 90;

export interface KeyboardProps {
  label: string;
  rows: readonly string[];
  /** Characters that a real keyboard may bring too. */
  takes: RegExp;
  /** Called by Enter. */
  onEnter: () => void;
  eraseLabel: string;
  /** Beside the last row, such as what to do with what was typed. */
  children: ReactNode;
}

/** Keys to touch, which act as the finger comes down; a real keyboard works too. */
export function Keyboard({ label, rows, takes, onEnter, eraseLabel, children }: KeyboardProps) {
  const { dispatch } = useKiosk();
  const repeat = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef({ key: '', at: Number.NEGATIVE_INFINITY });
  const enter = useRef(onEnter);
  useEffect(() => {
    enter.current = onEnter;
  });

  useEffect(() => {
    const type = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Backspace') dispatch({ type: 'erase' });
      else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) enter.current();
      else if (event.key.length === 1 && takes.test(event.key))
        dispatch({ type: 'key', character: event.key });
    };
    window.addEventListener('keydown', type);
    return () => {
      window.removeEventListener('keydown', type);
      clearTimeout(repeat.current);
    };
  }, [dispatch, takes]);

  const press = (key: string, at: number) => {
    const bounced = last.current.key === key && at - last.current.at < BOUNCE_MS;
    last.current = { key, at };
    if (!bounced) dispatch({ type: 'key', character: key });
  };
  const eraseOnAndOn = () => {
    dispatch({ type: 'erase' });
    const again = () => {
      dispatch({ type: 'erase' });
      repeat.current = setTimeout(again, ERASE_REPEAT_EVERY_MS);
    };
    clearTimeout(repeat.current);
    repeat.current = setTimeout(again, ERASE_REPEAT_AFTER_MS);
  };
  const stopErasing = () => clearTimeout(repeat.current);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has its legend inside its border.
    <div className="keyboard" role="group" aria-label={label}>
      {rows.map((row, at) => (
        <div className="keys" key={row}>
          {[...row].map((key) => (
            <button
              key={key}
              type="button"
              className="key"
              onPointerDown={(event) => isTouch(event) && press(key, event.timeStamp)}
              onClick={({ detail }) => detail === 0 && dispatch({ type: 'key', character: key })}
            >
              {key}
            </button>
          ))}
          {at === 0 && (
            <button
              type="button"
              className="key erase"
              aria-label={eraseLabel}
              onPointerDown={(event) => isTouch(event) && eraseOnAndOn()}
              onPointerUp={stopErasing}
              onPointerLeave={stopErasing}
              onPointerCancel={stopErasing}
              onClick={({ detail }) => detail === 0 && dispatch({ type: 'erase' })}
            >
              <Icon name="erase" />
            </button>
          )}
          {at === rows.length - 1 && children}
        </div>
      ))}
    </div>
  );
}

/** Whether a pointer is a finger or the mouse's first button. */
function isTouch({ button }: ReactPointerEvent): boolean {
  return button === 0;
}
