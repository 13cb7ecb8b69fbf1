import type { DocumentRefusal } from '../plate/plate-read.ts';
import type { Checked } from './json-border.ts';

/** The number of refused messages that the faults of a document name. */
const MAX_NAMED = 3;

/**
 * Reads the messages of one document, each by itself: one that cannot be read costs no other its plate. It is left out
 * and named in `faults`, unless it is only of a kind that is not known here. Where none can be read, the first refusal;
 * of no messages, an empty list.
 */
export function readEach<Message, Value>(
  messages: readonly Message[],
  read: (message: Message) => Checked<Value>,
): Checked<Value[]> {
  const value: Value[] = [];
  const faults: string[] = [];
  const refusals: DocumentRefusal[] = [];
  for (const message of messages) {
    const checked = read(message);
    if (!checked.ok) {
      refusals.push(checked.refusal);
      continue;
    }
    value.push(checked.value);
    faults.push(...(checked.faults ?? []));
  }
  const worst = refusals.find(({ reason }) => reason !== 'unknown-kind') ?? refusals[0];
  if (value.length === 0 && worst !== undefined) return { ok: false, refusal: worst };
  return { ok: true, value, faults: [...faults, ...leftOut(refusals)] };
}

function leftOut(refusals: readonly DocumentRefusal[]): string[] {
  return refusals
    .filter(({ reason }) => reason !== 'unknown-kind')
    .slice(0, MAX_NAMED)
    .map(({ message }) => `a message is left out: ${message}`);
}
