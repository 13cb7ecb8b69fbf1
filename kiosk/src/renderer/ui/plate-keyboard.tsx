import type { ReactNode } from 'react';
import { useKiosk } from '../kiosk-context.ts';
import { Keyboard } from './keyboard.tsx';

const ROWS = ['1234567890', 'QWERTYUIOPÐ', 'ASDFGHJKLÆÖ', 'ZXCVBNMÞÁÉÝ', 'ÍÓÚ'];
const TAKES = /[\p{L}\p{N}]/u;

/** All letters that stand on plates in Iceland, private ones too. */
export function PlateKeyboard({ onEnter, children }: { onEnter: () => void; children: ReactNode }) {
  const { words } = useKiosk();
  return (
    <Keyboard
      label={words.plate.field}
      rows={ROWS}
      takes={TAKES}
      onEnter={onEnter}
      eraseLabel={words.plate.erase}
    >
      {children}
    </Keyboard>
  );
}
