import { CharacterOdds } from './character-odds.ts';
import { PlateBackground } from './plate-background.ts';
import type { SeenCar } from './seen-car.ts';
import { StayLengths } from './stay-lengths.ts';

/** What a site has learned about its cars and cameras. */
export interface SiteHabits {
  /** By the camera at the exit: each reads in its own way. */
  readonly characters: Map<string, CharacterOdds>;
  readonly plates: PlateBackground;
  readonly lengths: StayLengths;
  /** The share of cars that come in, or go out, without a read. */
  readonly missed: { readonly entries: number; readonly exits: number };
  /** How many cars leave in a millisecond. */
  exitRate: number;
}

/** The start, of a site that has seen nothing yet. */
export function newHabits(): SiteHabits {
  return {
    characters: new Map(),
    plates: new PlateBackground(),
    lengths: new StayLengths(),
    missed: { entries: 0.03, exits: 0.03 },
    exitRate: 1 / 3_600_000,
  };
}

/** How a camera at an exit reads what was read at the entrance. */
export function charactersAt({ characters }: Pick<SiteHabits, 'characters'>, camera: string): CharacterOdds {
  const known = characters.get(camera) ?? new CharacterOdds();
  characters.set(camera, known);
  return known;
}

/** Learns from a read at any lane, once. */
export function learnRead({ plates }: SiteHabits, { plates: readings }: SeenCar): void {
  const [likeliest] = readings;
  if (likeliest !== undefined) plates.learn(likeliest.plate);
}

/** Learns from a pair that was settled, or that a person accepted. */
export function learnPair(habits: SiteHabits, entry: SeenCar, exit: SeenCar): void {
  const [before, now] = [entry.plates[0]?.plate, exit.plates[0]?.plate];
  if (before !== undefined && now !== undefined) charactersAt(habits, exit.camera).learn(before, now);
  habits.lengths.learn(exit.at - entry.at);
}
