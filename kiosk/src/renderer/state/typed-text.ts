import { normalisePlate } from '@hlid/protocol/plate/plate';
import { LONGEST_PLATE, type ScreenAction } from './kiosk-state.ts';

/** The text of the field after a key: for a plate, letters and digits only, in capitals. */
export function typedPlate(typed: string, action: ScreenAction): string {
  return action.type === 'key'
    ? normalisePlate(typed + action.character).slice(0, LONGEST_PLATE)
    : typedText(typed, action, LONGEST_PLATE);
}

/** The text of the field after a key. */
export function typedText(typed: string, action: ScreenAction, longest: number): string {
  switch (action.type) {
    case 'key':
      return (typed + action.character).slice(0, longest);
    case 'erase':
      return typed.slice(0, -1);
    case 'clear':
      return '';
    default:
      return typed;
  }
}
