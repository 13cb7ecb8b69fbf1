import { roomWords } from '../../words/words.ts';

export const VEHICLE = roomWords('vehicles').vehicle;
