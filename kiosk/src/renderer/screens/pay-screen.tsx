import { paymentReasonText } from '@hlid/protocol/base/mistakes/payment-words';
import { formatMoney } from '@hlid/protocol/base/money';
import type { KioskPayment } from '@hlid/protocol/pages/kiosk-api';
import { randomUuid } from '@hlid/ui/random-uuid';
import { useKiosk } from '../kiosk-context.ts';
import type { Screen } from '../state/kiosk-state.ts';
import { isWorking, mayTryAgain } from '../state/pay-state.ts';
import { Button } from '../ui/button.tsx';
import { Frame } from '../ui/frame.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Sign } from '../ui/sign.tsx';
import { type Drawn, TerminalDrawing } from '../ui/terminal-drawing.tsx';
import { takesPhones } from '../ui/ways-to-pay.ts';

type PayScreenState = Extract<Screen, { at: 'pay' }>;

/** @param hasDue something is due that a phone can pay as well */
export function PayScreen({ screen, hasDue }: { screen: PayScreenState; hasDue: boolean }) {
  return isWorking(screen) ? (
    <AtTerminal screen={screen} />
  ) : (
    <PaymentEnded screen={screen} hasDue={hasDue} />
  );
}

/** The terminal's prompts, live, while it works. */
function AtTerminal({ screen }: { screen: PayScreenState }) {
  const { words, language, dispatch } = useKiosk();
  const { request, payment, cancelling } = screen;
  const approved = payment?.state === 'approved' || payment?.prompt === 'approved';
  const amount = formatMoney({ amountMinor: request.amountMinor, currency: request.currency }, language);
  return (
    <Frame
      className="paying"
      way="none"
      title={approved ? words.pay.approved : words.pay.title}
      controls={
        !approved && (
          <Button disabled={!payment || cancelling} onPress={() => dispatch({ type: 'cancel' })}>
            <Icon name="cross" />
            {cancelling ? words.pay.cancelling : words.pay.cancel}
          </Button>
        )
      }
    >
      <p className="pay-amount">
        <span>{words.pay.amount}</span>
        <strong>{amount}</strong>
      </p>
      <TerminalDrawing drawn={drawnFor(payment)} amount={amount} />
      <div className={`prompt ${approved ? 'good' : ''}`} role="status">
        <p>{promptText(payment, approved)}</p>
        {payment?.promptText && !approved && (
          <p className="terminal-says">
            {words.pay.terminalSays}: <q>{payment.promptText}</q>
          </p>
        )}
      </div>
    </Frame>
  );

  function promptText(payment: KioskPayment | null, approved: boolean): string {
    if (approved) return words.pay.approvedMore;
    if (!payment) return words.pay.starting;
    return words.prompts[payment.prompt ?? 'wait'];
  }
}

function drawnFor(payment: KioskPayment | null): Drawn {
  if (payment?.state === 'approved') return 'approved';
  return payment?.prompt ?? 'wait';
}

interface Verdict {
  tone: 'bad' | 'doubt';
  sign: IconName;
  title: string;
  lead: string;
  more: string | null;
}

/** The screen after a payment without a booking, or of unknown outcome. */
function PaymentEnded({ screen, hasDue }: { screen: PayScreenState; hasDue: boolean }) {
  const { dispatch, words, site } = useKiosk();
  const { tone, sign, title, lead, more } = verdictOf();
  const isUnknown = screen.payment?.state === 'unknown';
  return (
    <Frame
      className="verdict"
      tone={tone}
      way={isUnknown ? 'start' : 'back'}
      title={title}
      lead={lead}
      controls={
        <>
          {mayTryAgain(screen) && (
            <Button kind="primary" onPress={() => dispatch({ type: 'pay', key: randomUuid() })}>
              <Icon name="card" />
              {words.again}
            </Button>
          )}
          {mayTryAgain(screen) && hasDue && takesPhones(site) && (
            <Button onPress={() => dispatch({ type: 'pay-by-phone' })}>
              <Icon name="mobile" />
              {words.phone.offer}
            </Button>
          )}
          <Button onPress={() => dispatch({ type: 'help', open: true })}>
            <Icon name="phone" />
            {words.helpPanel.call}
          </Button>
        </>
      }
    >
      <Sign name={sign} />
      {more !== null && <p className="until">{more}</p>}
    </Frame>
  );

  function verdictOf(): Verdict {
    const { payment, trouble } = screen;
    const { pay } = words;
    const charged = pay.nothingCharged;
    const online =
      site.payOnline && words.due.payOnline({ address: site.payOnline.replace(/^https?:\/\//, '') });
    switch (payment?.state) {
      case 'declined': {
        const lead = paymentReasonText(payment.reason ?? 'other', words.paymentReasons);
        return { tone: 'doubt', sign: 'cross', title: pay.declined, lead, more: charged };
      }
      case 'cancelled': {
        const lead = isOtherAmount(payment.reason) ? words.paymentReasons.amount : charged;
        return { tone: 'doubt', sign: 'cross', title: pay.cancelled, lead, more: null };
      }
      case 'reversed': {
        const more = isOtherAmount(payment.reason) ? words.paymentReasons.amount : null;
        return { tone: 'doubt', sign: 'cross', title: pay.reversed, lead: pay.reversedMore, more };
      }
      case 'unknown': {
        const more = payment.needsPerson ? `${pay.notAgain} ${pay.unknownPerson}` : pay.notAgain;
        return { tone: 'doubt', sign: 'clock', title: pay.unknown, lead: pay.unknownMore, more };
      }
      default:
    }
    if (trouble === 'terminal-busy')
      return { tone: 'doubt', sign: 'clock', title: pay.busy, lead: pay.busyMore, more: charged };
    if (trouble === 'terminal-away' || trouble === 'no-terminal')
      return { tone: 'doubt', sign: 'alert', title: pay.away, lead: pay.awayMore, more: online };
    return { tone: 'bad', sign: 'alert', title: pay.failed, lead: pay.failedMore, more: null };
  }
}

/** The terminal had another amount than was ordered, such as one with a tip. */
function isOtherAmount(reason: string | null): boolean {
  return reason === 'amount' || reason === 'mismatch';
}
