import type { Car } from '../sim/car.ts';

/** Cars that stay until somebody pays for them at the kiosk. */
export function platesOfWaiting(cars: readonly Car[]): string[] {
  return cars.filter(({ kind }) => kind === 'pays-first').map(({ plate }) => plate);
}

/** Says of each car that waits for somebody to pay at the kiosk, once. */
export function waitingNews(
  known: readonly string[],
  say: (text: string) => void,
): (cars: readonly Car[]) => void {
  let told = new Set(known);
  return (cars) => {
    const waiting = platesOfWaiting(cars);
    for (const plate of waiting) {
      if (!told.has(plate))
        say(`          ${plate.padEnd(8)}  stays inside until somebody pays for it at the kiosk`);
    }
    told = new Set(waiting);
  };
}
