import { codeText } from '../../base/texts.ts';
import type { GateReason } from '../../records/gate-reason.ts';
import type { CodeWords } from './code-words.ts';

/** Why a gate is held or kept closed, as people read it. */
export function gateReasonText(
  { reasonCode, note }: { reasonCode: GateReason | null; note: string },
  words: Pick<CodeWords, 'gateReason'>,
): string {
  if (reasonCode === null || reasonCode === 'other') return note;
  const reason = codeText(words.gateReason, reasonCode);
  return note === '' ? reason : `${reason}: ${note}`;
}
