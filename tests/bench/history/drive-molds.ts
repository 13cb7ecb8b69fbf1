import { PAID_DAYS } from './country.ts';
import { type Molds, moldsOf } from './mold.ts';
import { SampleSite, type StayKind } from './sample-site.ts';

export type MoldSet = Record<StayKind, Map<number, Molds>>;

const MINUTES_A_DAY = 1440;

/** Drives two cars of each kind through both programs' code, and makes the forms of visits from what they left. */
export async function driveMolds(): Promise<MoldSet> {
  const sample = await SampleSite.start();
  try {
    const set: Partial<MoldSet> = {};
    let cars = 0;
    for (const [kind, days] of Object.entries(PAID_DAYS) as [StayKind, number[]][]) {
      const ofKind = new Map<number, Molds>();
      for (const paid of days) {
        const drive = (minutes: number) => {
          // Its folded form differs from it, and no two cars are near.
          const plate = `TB${String.fromCharCode(67 + (cars % 20))}S${10 + ((cars * 37) % 90)}`;
          cars++;
          return sample.drive({ kind, plate, minutes: (paid - 1) * MINUTES_A_DAY + minutes });
        };
        ofKind.set(paid, moldsOf(await drive(100), await drive(333)));
      }
      set[kind] = ofKind;
    }
    return set as MoldSet;
  } finally {
    await sample.stop();
  }
}
