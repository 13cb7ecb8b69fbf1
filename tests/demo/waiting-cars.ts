import type { Car } from '../sim/car.ts';

/** The plates of cars that stay until they are paid for. */
export function platesOfWaiting(cars: readonly Car[]): string[] {
  return cars.filter(({ kind }) => kind === 'pays-first').map(({ plate }) => plate);
}

/** Reports each car that waits for its payment, once. */
export function waitingLines(
  known: readonly string[],
  print: (text: string) => void,
): (cars: readonly Car[]) => void {
  let reported = new Set(known);
  return (cars) => {
    const waiting = platesOfWaiting(cars);
    for (const plate of waiting) {
      if (!reported.has(plate))
        print(`          ${plate.padEnd(8)}  stays inside until it is paid for, at the kiosk or by phone`);
    }
    reported = new Set(waiting);
  };
}
