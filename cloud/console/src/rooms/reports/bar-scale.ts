/** The range of a chart's axis, and where its lines are. */
export interface Scale {
  min: number;
  max: number;
  ticks: readonly number[];
}

const STEPS = [1, 2, 2.5, 5, 10];
const LINES = 4;

/** A scale of round numbers that holds all values, and zero. */
export function scaleOf(values: readonly number[]): Scale {
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const span = top - bottom || 1;
  const power = 10 ** Math.floor(Math.log10(span / LINES));
  // Amounts are whole minor units, and counts are whole.
  const step = Math.max(1, (STEPS.find((one) => one * power * LINES >= span) ?? 10) * power);
  const min = Math.floor(bottom / step) * step;
  const max = Math.max(min + step, Math.ceil(top / step) * step);
  const count = Math.round((max - min) / step);
  return { min, max, ticks: Array.from({ length: count + 1 }, (_, line) => min + line * step) };
}
