import type { CameraDocument, PlateRead } from '@hlid/protocol/plate-read';

/** What a camera's document says, in lines for people. */
export function documentWords({ reads, heartbeat }: CameraDocument): string[] {
  const alive = heartbeat ? ['the camera says that it is alive'] : [];
  return reads.length === 0 && !heartbeat ? ['no read'] : [...alive, ...reads.flatMap(readWords)];
}

function readWords({ plate, score, country, direction, late, parked, ...read }: PlateRead): string[] {
  const traits = [country, direction, late && 'late', parked && 'parked'].filter(Boolean);
  const candidates = read.candidates.map((other) => `${other.plate} (${percent(other.score)})`);
  return [
    `${plate ?? 'no plate'}  ${percent(score)}  ${traits.join(', ')}`,
    `  at          ${read.capturedAt ?? 'not known'}`,
    `  candidates  ${candidates.join(', ') || 'none'}`,
    `  event key   ${read.eventKey}`,
  ];
}

function percent(score: number): string {
  return `${Math.round(score * 100)} %`;
}
