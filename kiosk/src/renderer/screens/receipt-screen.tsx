import { formatMoney } from '@hlid/protocol/base/money';
import { deadlineOf } from '@hlid/protocol/rules/paid-deadline';
import { useKiosk } from '../kiosk-context.ts';
import { untilText } from '../site-clock.ts';
import type { Screen } from '../state/kiosk-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon } from '../ui/icon.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { Sign } from '../ui/sign.tsx';

export function ReceiptScreen({ screen }: { screen: Extract<Screen, { at: 'receipt' }> }) {
  const { words, language, site, dispatch } = useKiosk();
  const { payment, receipt, trouble } = screen;
  const amount = formatMoney(payment, language);
  const leaveBy = deadlineOf(payment);
  return (
    <Frame
      className="verdict receipt"
      tone="good"
      way="none"
      title={words.receipt.title}
      lead={words.receipt.lead}
      controls={
        <div className="choices">
          <Button onPress={() => dispatch({ type: 'mail' })}>
            <Icon name="mail" />
            {words.receipt.mail}
          </Button>
          <Button kind="primary" onPress={() => dispatch({ type: 'leave' })}>
            {receipt?.url ? words.done : words.receipt.none}
          </Button>
        </div>
      }
    >
      <Sign name="tick" />
      <dl className="paid-facts">
        <div>
          <dt>{words.receipt.paid}</dt>
          <dd>{amount}</dd>
        </div>
        {receipt && (
          <div>
            <dt>{words.receipt.card}</dt>
            <dd>
              {words.brands[receipt.card.type]}
              {receipt.card.lastFour !== null && ` ···· ${receipt.card.lastFour}`}
            </dd>
          </div>
        )}
        {leaveBy !== null && (
          <div className="good">
            <dt>{payment.daysUntil === undefined ? words.receipt.mayLeave : words.leave.paidUntil}</dt>
            <dd>{untilText(leaveBy, new Date(), site.timeZone, language)}</dd>
          </div>
        )}
      </dl>
      {receipt?.url ? (
        <div className="scan">
          <QrCode text={receipt.url} label={words.receipt.scan} />
          <p>
            <strong>{words.receipt.scan}</strong>
            {site.cloudConnected ? words.receipt.scanMore : words.receipt.later}
          </p>
        </div>
      ) : (
        <p className="hint" role="status">
          {receipt || trouble !== null ? words.receipt.noPage : words.receipt.coming}
        </p>
      )}
    </Frame>
  );
}
