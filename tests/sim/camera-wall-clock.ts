/** The time of a camera's wall clock: `2026-11-21 08:30:00.125`. */
export function cameraWallClock(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return `${parts}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`;
}
