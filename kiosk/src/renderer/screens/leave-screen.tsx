import { useKiosk } from '../kiosk-context.ts';
import type { Screen } from '../screen-state.ts';
import { dayOf, dayText, timeText } from '../site-clock.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { GateDrawing } from '../ui/gate-drawing.tsx';

const MINUTE_MS = 60_000;
/** Beyond this nobody counts in minutes. */
const MOST_MINUTES = 90;

/** The last word: until when the gate opens for this car. */
export function LeaveScreen({ screen }: { screen: Extract<Screen, { at: 'leave' }> }) {
  const { words, site, dispatch } = useKiosk();
  const { paidUntil, mailed } = screen;
  return (
    <Frame
      className="verdict leaving"
      tone="good"
      way="none"
      title={words.leave.title}
      lead={mailed ? words.leave.mailed : undefined}
      controls={
        <Button kind="primary" className="huge" onPress={() => dispatch({ type: 'idle-over' })}>
          {words.done}
        </Button>
      }
    >
      <GateDrawing />
      {paidUntil !== null && <Until paidUntil={paidUntil} timeZone={site.timeZone} />}
    </Frame>
  );
}

function Until({ paidUntil, timeZone }: { paidUntil: string; timeZone: string }) {
  const { words } = useKiosk();
  const now = new Date();
  const minutes = Math.floor((Date.parse(paidUntil) - now.getTime() + MINUTE_MS / 2) / MINUTE_MS);
  const [day, today] = [dayOf(paidUntil, timeZone), dayOf(now, timeZone)];
  const time = timeText(paidUntil, timeZone);
  return (
    <p className="leave-until">
      <span>
        {minutes > 0 && minutes <= MOST_MINUTES ? words.leave.minutes(minutes) : words.leave.paidUntil}
      </span>
      <strong>
        {day === today ? words.leave.until(time) : words.leave.untilDay(dayText(day, today, words), time)}
      </strong>
    </p>
  );
}
