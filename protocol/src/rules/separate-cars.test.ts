import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type UtcTime, utcTime } from '../base/utc-time.ts';
import type { PlateBox, PlateRead } from '../plate/plate-read.ts';
import { findPassage } from '../records/passage.ts';
import { beginPassage, joinPassage, type PassageCourse } from './passage-transitions.ts';

const START = Date.parse('2026-11-23T10:20:00.017Z');
const SETTINGS = { passageWindowMs: 8000, standingMs: 60_000 };

/** A lane with an entrance gate that opens for every car. */
class Lane {
  passages: PassageCourse[] = [];
  anotherSince: UtcTime | null = null;
  #reads = 0;

  /** @returns the passage to which the read belongs */
  read(plate: string, ms: number, more: Partial<PlateRead> = {}): string {
    const at = utcTime(START + ms);
    const read: PlateRead = {
      plate,
      plateRaw: plate,
      score: 0.95,
      country: null,
      direction: 'unknown',
      capturedAt: null,
      eventKey: `read-${++this.#reads}`,
      relatedKeys: [],
      candidates: [],
      late: false,
      parked: false,
      ...more,
    };
    const newestFirst = this.passages.toSorted((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt));
    const windows = { ...SETTINGS, anotherSince: this.anotherSince };
    const known = findPassage(read, at, newestFirst, windows, () => true);
    const ids = { id: `passage-${this.#reads}`, laneId: 'in-1', readId: `r${this.#reads}` };
    const passage = known === null ? beginPassage(ids, read, at) : joinPassage(known, read, at);
    this.passages = [passage, ...this.passages.filter(({ id }) => id !== passage.id)];
    return passage.id;
  }

  /** The loop before the gate was free, and is occupied again. */
  loopChanges(ms: number): void {
    this.anotherSince = utcTime(START + ms);
  }

  plates(): (string | null)[] {
    return this.passages.map(({ plate }) => plate).toSorted();
  }
}

const box = (x: number, y = 300, width = 60): PlateBox => ({ x, y, width, height: width / 4 });
/** Plates of which no two are alike. */
const PLATES = ['K183JF', 'N656XH', 'K197GB', 'ABX12', 'TZO94', 'PVU83', 'MHY50', 'DLR27'] as const;

describe('two cars within the time of one', () => {
  it('are told apart by a loop that was free and is occupied again', () => {
    const lane = new Lane();
    lane.read('K183JF', 0);
    lane.loopChanges(600);
    lane.read('N656XH', 900);
    expect(lane.plates()).toEqual(['K183JF', 'N656XH']);
    // A loop that had changed before proves nothing.
    lane.read('N656XH', 1200);
    expect(lane.passages).toHaveLength(2);
  });

  it.each([
    ['different', 'K183JF', 'N656XH'],
    ['one letter apart', 'ABX12', 'ABX13'],
    ['alike', 'AB8012', 'AB80I2'],
  ])('are told apart by their places in one picture: %s', (_, first, second) => {
    const lane = new Lane();
    for (const ms of [0, 900, 1800]) {
      lane.read(first, ms, { box: box(100 + ms / 30) });
      lane.read(second, ms, { box: box(700 + ms / 30) });
    }
    expect(lane.plates()).toEqual([first, second].toSorted());
  });

  it('are told apart by their places though a camera gives both one key', () => {
    const lane = new Lane();
    lane.read('K183JF', 0, { box: box(100), eventKey: 'one' });
    lane.read('N656XH', 0, { box: box(700), eventKey: 'one#1', relatedKeys: ['one'] });
    expect(lane.plates()).toEqual(['K183JF', 'N656XH']);
  });

  it('are told apart by the camera’s own time where the second comes late', () => {
    const lane = new Lane();
    const capturedAt = '2026-11-23T10:20:00.123Z';
    lane.read('K183JF', 0, { box: box(100), capturedAt });
    lane.read('N656XH', 1500, { box: box(700), capturedAt });
    expect(lane.plates()).toEqual(['K183JF', 'N656XH']);
  });

  it('are told apart once both are seen at one moment, after the second was taken for the first', () => {
    const lane = new Lane();
    lane.read('K183JF', 0, { box: box(100) });
    lane.read('N656XH', 900, { box: box(700), score: 0.5 });
    expect(lane.plates()).toEqual(['K183JF']);
    lane.read('K183JF', 1000, { box: box(130) });
    lane.read('N656XH', 2500, { box: box(720) });
    expect(lane.plates()).toEqual(['K183JF', 'N656XH']);
  });
});

describe('one car', () => {
  it('has one plate in one picture, however it is read there', () => {
    const lane = new Lane();
    lane.read('K183JF', 0, { box: box(100) });
    lane.read('N656XH', 0, { box: box(110) });
    expect(lane.passages).toHaveLength(1);
  });

  it('moves between two pictures that come in one burst', () => {
    const lane = new Lane();
    lane.read('K183JF', 0, { box: box(100), capturedAt: '2026-11-23T10:20:00.100Z' });
    lane.read('K183JG', 50, { box: box(400), capturedAt: '2026-11-23T10:20:01.900Z' });
    expect(lane.passages).toHaveLength(1);
  });
});

it('counts each of random cars one behind the other as one car, and no two as one', () => {
  /** Looks at a car: what is wrong of them is of the first ones, and no two of these agree. */
  const car = fc.record({
    wrong: fc.nat(2),
    right: fc.integer({ min: 1, max: 3 }),
    stepMs: fc.integer({ min: 350, max: 700 }),
    hasBox: fc.boolean(),
    /** The sign that separates the next car from this one. */
    next: fc.constantFrom('loop', 'picture', 'time'),
    gapMs: fc.integer({ min: 20, max: 900 }),
  });
  fc.assert(
    fc.property(fc.array(car, { minLength: 1, maxLength: 8 }), (cars) => {
      const lane = new Lane();
      const owners = new Map<string, Set<number>>();
      let ms = 0;
      for (const [nth, { wrong, right, stepMs, hasBox, next, gapMs }] of cars.entries()) {
        const ids = new Set<string>();
        const looks = [
          ...Array.from({ length: wrong }, (_, look) => `W${nth}X${look}Y${look}Z${nth}`),
          ...Array(right).fill(''),
        ];
        const before = cars[nth - 1];
        const beside = before?.next === 'picture';
        for (const [look, given] of looks.entries()) {
          const plate = given === '' ? (PLATES[nth] ?? '') : given;
          const place =
            hasBox || beside || next === 'picture' ? { box: box(100 + 600 * (nth % 2) + look * 40) } : {};
          // Seen in one picture with the car before.
          if (look === 0 && beside) {
            const other = lane.read(PLATES[nth - 1] ?? '', ms, {
              box: box(100 + 600 * ((nth - 1) % 2) + 200),
            });
            owners.set(other, (owners.get(other) ?? new Set()).add(nth - 1));
          }
          const id = lane.read(plate, ms, place);
          ids.add(id);
          owners.set(id, (owners.get(id) ?? new Set()).add(nth));
          ms += stepMs;
        }
        expect(ids.size, `car ${nth} is one car`).toBe(1);
        if (next === 'time') ms += 8001;
        else ms += gapMs;
        if (next === 'loop') {
          lane.loopChanges(ms);
          ms += 20;
        }
      }
      for (const [id, of] of owners) expect([...of], `${id} is of one car`).toHaveLength(1);
      expect(lane.passages).toHaveLength(cars.length);
    }),
    { numRuns: 500 },
  );
});
