import { wordsOf } from '../words/words.ts';

/** Names of the rooms, for the menu and the palette. */
export const ROOM_NAMES = wordsOf('roomNames');
