import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { useKiosk } from '../kiosk-context.ts';
import { untilText } from '../site-clock.ts';
import type { Screen } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { GateDrawing } from '../ui/gate-drawing.tsx';

/** The longest time that is shown in minutes. */
const MAX_MINUTES = 90;

/** The last word: until when the gate opens for this car. */
export function LeaveScreen(props: { screen: Extract<Screen, { at: 'leave' }>; idleSeconds: number | null }) {
  const { words, site, dispatch } = useKiosk();
  const { leaveBy, mailed, exitOpens, paid } = props.screen;
  const mailWord = site.cloudConnected ? words.leave.mailed : words.leave.mailedLater;
  return (
    <Frame
      className="verdict leaving"
      tone="good"
      way="none"
      title={paid ? words.receipt.title : words.leave.title}
      lead={exitOpens ? words.question.opens : mailed ? mailWord : undefined}
      controls={
        <Button kind="primary" className="huge" onPress={() => dispatch({ type: 'idle-over' })}>
          {words.done}
          {props.idleSeconds !== null && (
            <span className="seconds-left" aria-hidden="true">
              {props.idleSeconds}
            </span>
          )}
        </Button>
      }
    >
      <GateDrawing />
      {leaveBy !== null && <Until leaveBy={leaveBy} timeZone={site.timeZone} />}
    </Frame>
  );
}

function Until({ leaveBy, timeZone }: { leaveBy: string; timeZone: string }) {
  const { words, language } = useKiosk();
  const now = new Date();
  const minutes = Math.floor((Date.parse(leaveBy) - now.getTime() + MINUTE_MS / 2) / MINUTE_MS);
  return (
    <p className="leave-until">
      <span>
        {minutes > 0 && minutes <= MAX_MINUTES ? words.leave.minutes({ minutes }) : words.leave.paidUntil}
      </span>
      <strong>{untilText(leaveBy, now, timeZone, language)}</strong>
    </p>
  );
}
