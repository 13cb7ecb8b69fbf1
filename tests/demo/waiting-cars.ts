import type { Car } from '../sim/car.ts';

/** Cars that stay until somebody pays for them at the kiosk. */
export function platesOfWaiting(cars: readonly Car[]): string[] {
  return cars.filter(({ kind }) => kind === 'pays-first').map(({ plate }) => plate);
}

/** Says of each car that waits for somebody to pay at the kiosk, once. */
export function waitingLines(
  known: readonly string[],
  print: (text: string) => void,
): (cars: readonly Car[]) => void {
  let reported = new Set(known);
  return (cars) => {
    const waiting = platesOfWaiting(cars);
    for (const plate of waiting) {
      if (!reported.has(plate))
        print(`          ${plate.padEnd(8)}  stays inside until somebody pays for it at the kiosk`);
    }
    reported = new Set(waiting);
  };
}
