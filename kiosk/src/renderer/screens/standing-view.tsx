import type { KioskDue } from '@hlid/protocol/pages/kiosk-api';
import { deadlineOf } from '@hlid/protocol/rules/paid-deadline';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useKiosk } from '../kiosk-context.ts';
import { leaveByText } from '../site-clock.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Sign } from '../ui/sign.tsx';
import { takesCards, takesCodes } from '../ui/ways-to-pay.ts';

type Standing = Exclude<KioskDue['standing'], 'due' | 'need-plate'>;

const SIGNS: Record<Standing, { sign: IconName; tone: 'good' | 'bad' | 'doubt' }> = {
  'nothing-due': { sign: 'tick', tone: 'good' },
  paid: { sign: 'tick', tone: 'good' },
  whitelisted: { sign: 'permit', tone: 'good' },
  invoiced: { sign: 'invoice', tone: 'good' },
  checking: { sign: 'clock', tone: 'doubt' },
  ended: { sign: 'gate', tone: 'doubt' },
  'no-price': { sign: 'help', tone: 'doubt' },
  other: { sign: 'help', tone: 'doubt' },
};

/** Why nothing is to be paid here now. */
export function StandingView({ standing, due }: { standing: Standing; due: KioskDue | null }) {
  const { words, language, site, dispatch } = useKiosk();
  const { sign, tone } = SIGNS[standing];
  const { title, lead } = words.standing[standing];
  const showsDeadline = standing === 'paid' || standing === 'nothing-due';
  const leaveBy = showsDeadline && due !== null ? deadlineOf(due) : null;
  const mayBuyDays =
    due !== null &&
    due.dayPriceMinor !== null &&
    (standing === 'nothing-due' || standing === 'paid') &&
    takesCards(site);
  return (
    <Frame
      className="verdict"
      tone={tone}
      title={title}
      lead={lead}
      controls={
        <>
          {mayBuyDays && (
            <Button onPress={() => dispatch({ type: 'buy-days' })}>
              <Icon name="plus" />
              {words.days.buy}
            </Button>
          )}
          {standing === 'checking' && takesCodes(site) && (
            <Button onPress={() => dispatch({ type: 'enter-code' })}>
              <Icon name="mobile" />
              {words.code.offer}
            </Button>
          )}
          {(standing === 'no-price' || standing === 'other' || standing === 'checking') && (
            <Button onPress={() => dispatch({ type: 'help', open: true })}>
              <Icon name="phone" />
              {words.helpPanel.call}
            </Button>
          )}
          <Button kind="primary" onPress={() => dispatch({ type: 'idle-over' })}>
            {words.done}
          </Button>
        </>
      }
    >
      <Sign name={sign} />
      {due && <PlateSign plate={due.visit.plate} unread={words.noPlate} />}
      {leaveBy !== null && (
        <p className="until">{leaveByText(leaveBy, new Date(), site.timeZone, language)}</p>
      )}
    </Frame>
  );
}
