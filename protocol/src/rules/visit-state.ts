import type { VisitStatus } from '../records/visit.ts';

/** Events that change the status of a visit. */
export type VisitMove =
  | 'entered'
  | 'entered-unreadable'
  | 'plate-given'
  | 'asked-to-leave'
  | 'paid'
  | 'left-settled'
  | 'voided'
  | 'reopened'
  | 'reopened-unpaid';

interface MoveRule {
  from: readonly (VisitStatus | null)[];
  to: VisitStatus;
}

const MOVES: Record<VisitMove, MoveRule> = {
  entered: { from: [null], to: 'new' },
  'entered-unreadable': { from: [null, 'new'], to: 'need-plate' },
  'plate-given': { from: ['need-plate'], to: 'new' },
  'asked-to-leave': { from: ['new', 'need-plate', 'need-payment'], to: 'need-payment' },
  paid: { from: ['new', 'need-payment'], to: 'new' },
  'left-settled': { from: ['new', 'need-payment', 'need-plate'], to: 'completed' },
  voided: { from: ['new', 'need-payment', 'need-plate'], to: 'completed' },
  reopened: { from: ['completed'], to: 'new' },
  'reopened-unpaid': { from: ['completed'], to: 'need-payment' },
};

export type MoveResult = { ok: true; status: VisitStatus } | { ok: false; message: string };

/** The status of a visit after a move, or why the move is not allowed. `from` is null for a new visit. */
export function moveVisit(from: VisitStatus | null, move: VisitMove): MoveResult {
  const rule = MOVES[move];
  if (rule.from.includes(from)) return { ok: true, status: rule.to };
  const state = from === null ? 'A visit that does not exist' : `A visit that is ${from}`;
  return { ok: false, message: `${state} cannot become ${rule.to} (${move.replaceAll('-', ' ')}).` };
}

/** The move that leads a person's edit from one status to another, or null where the design has none. */
export function moveBetween(from: VisitStatus, to: VisitStatus): VisitMove | null {
  const wanted: readonly VisitMove[] = [
    'entered-unreadable',
    'plate-given',
    'asked-to-leave',
    'paid',
    'voided',
    'reopened',
    'reopened-unpaid',
  ];
  return (
    wanted.find((move) => from !== to && MOVES[move].from.includes(from) && MOVES[move].to === to) ?? null
  );
}
